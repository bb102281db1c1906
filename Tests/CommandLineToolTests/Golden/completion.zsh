#compdef squall
autoload -U +X bashcompinit && bashcompinit
_squall() {
  local words="" current="${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="run serve drive probe drill explore replay check capacity compare sweep merge plan report trend validate new fit profiles apps schema openapi help completion --help --version"
  else
    case "${COMP_WORDS[1]}" in
    run) words="--seed --users --for --population --set --threshold --allow-outside --out --json --full --junit --summary --markdown --baseline --trace --replications --batches --fitted-uncertainty --max-replications --threads --strict --shard --log --allow-large --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    serve) words="--upstream --ca-file --refresh-path --sign-in-path --token-header --expired-status --expired-body --rotation --fault --drill --server --drill-wait --skip-manual --port --bind --speed --expire-every --expire-after --for --seed --set --record --keep-words --log --session --max-connections --max-pending --max-header --max-body --idle-timeout --header-timeout --out --json --junit --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    drive) words="--target --i-own --ca-file --accounts --client-id --client-auth --max-rate --max-users --max-time --for --shard --seed --users --population --set --threshold --allow-outside --out --json --full --junit --summary --markdown --baseline --log --strict --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    probe) words="--profile --sign-in-path --refresh-path --protected-path --sign-out-path --body --grant --client-id --client-auth --field --user-field --token-header --i-own --ca-file --user --accounts --for --max-requests --max-rate --at-once --burst --output --page --json --quiet --no-color --help " ;;
    drill) words="--design --drill --server --schedules --choices --seed --preemptions --threads --set --allow-outside --json --junit --page --quiet --no-color --help scrolly thisBookThatBook shareD ootd" ;;
    explore) words="--seed --schedules --time --deviations --strategy --invariant --threads --set --allow-outside --out --json --first --measure --timeline --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    replay) words="--fifo --json --no-color --help " ;;
    check) words="--seed --users --for --population --set --threshold --allow-outside --allow-large --help $(squall profiles --names 2>/dev/null)" ;;
    capacity) words="--vary --by --precision --from --to --grid --at-least --at-most --seed --users --for --population --set --threshold --allow-outside --fitted-uncertainty --max-replications --threads --strict --shard --out --json --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    compare) words="--with --replications --fail-if --seed --users --for --population --set --threshold --allow-outside --fitted-uncertainty --threads --strict --shard --out --json --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    sweep) words="--vary --figure --replications --seed --users --for --population --set --threshold --allow-outside --fitted-uncertainty --threads --strict --shard --out --json --quiet --no-color --help $(squall profiles --names 2>/dev/null)" ;;
    merge) words="--out --json --quiet --no-color --help " ;;
    plan) words="--slurm --parallel --kubernetes --shards --program --out --help $(squall profiles --names 2>/dev/null)" ;;
    report) words="--help " ;;
    trend) words="--figure --page --csv --no-color --help " ;;
    validate) words="--set --threshold --allow-outside --estimate --help $(squall profiles --names 2>/dev/null)" ;;
    new) words="--openapi --log-in --refresh --log-out --swift --package --help " ;;
    fit) words="--output --format --include --exclude --keep-words --force --workers --load --no-check --page --json --quiet --no-color --help " ;;
    profiles) words="--names --help" ;;
    apps) words="--full --errors --json --no-color --help scrolly thisBookThatBook shareD ootd" ;;
    schema) words="--help profile summary grafana" ;;
    openapi) words="--help 2023 2024" ;;
    help) words="--names --help run serve drive probe drill explore replay check capacity compare sweep merge plan report trend validate new fit profiles apps schema openapi help completion profile metrics thresholds audits journeys service races words exit-codes " ;;
    completion) words="--help bash zsh fish" ;;
    esac
    case "${COMP_WORDS[COMP_CWORD - 1]}" in
    --set|--vary) words="$(squall help profile --names 2>/dev/null | sed 's/\[\]/[0]/g')" ;;
    --threshold|--by|--figure) words="$(squall help metrics --names 2>/dev/null | sed 's/\[\]/[0]/g')" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _squall squall
