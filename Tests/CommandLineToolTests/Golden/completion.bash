_squall() {
  local words="" current="${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="run check capacity compare sweep merge plan report validate profiles apps schema openapi selftest bench help completion --help --version"
  else
    case "${COMP_WORDS[1]}" in
    run) words="--seed --users --for --set --threshold --out --json --trace --replications --max-replications --threads --shard --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    check) words="--seed --users --for --set --threshold --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    capacity) words="--vary --by --precision --from --to --grid --at-least --seed --users --for --set --threshold --max-replications --threads --shard --out --json --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    compare) words="--with --replications --fail-if --seed --users --for --set --threshold --threads --shard --out --json --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    sweep) words="--vary --figure --replications --seed --users --for --set --threshold --threads --shard --out --json --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    merge) words="--out --json --quiet --no-color --help " ;;
    plan) words="--slurm --parallel --kubernetes --shards --program --out --help " ;;
    report) words="--help " ;;
    validate) words="--set --threshold --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    profiles) words="--help" ;;
    apps) words="--json --help scrolly thisBookThatBook shareD ootd" ;;
    schema) words="--help profile summary" ;;
    openapi) words="--help 2023 2024" ;;
    selftest) words="--filter --thorough --seed --json --quiet --help" ;;
    bench) words="--filter --json --baseline --quiet --help" ;;
    help) words="--help run check capacity compare sweep merge plan report validate profiles apps schema openapi selftest bench help completion exit-codes profile" ;;
    completion) words="--help bash zsh fish" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _squall squall
