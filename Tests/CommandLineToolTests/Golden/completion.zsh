#compdef squall
autoload -U +X bashcompinit && bashcompinit
_squall() {
  local words="" current="${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="run explore replay check report validate profiles apps schema openapi selftest bench help completion --help --version"
  else
    case "${COMP_WORDS[1]}" in
    run) words="--seed --users --for --set --threshold --out --json --trace --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    explore) words="--seed --schedules --time --deviations --strategy --invariant --threads --set --out --json --timeline --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    replay) words="--fifo --no-color --help " ;;
    check) words="--seed --users --for --set --threshold --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    report) words="--help " ;;
    validate) words="--set --threshold --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    profiles) words="--help" ;;
    apps) words="--json --help scrolly thisBookThatBook shareD ootd" ;;
    schema) words="--help profile summary" ;;
    openapi) words="--help 2023 2024" ;;
    selftest) words="--filter --thorough --seed --json --quiet --help" ;;
    bench) words="--filter --json --baseline --quiet --help" ;;
    help) words="--help run explore replay check report validate profiles apps schema openapi selftest bench help completion exit-codes profile" ;;
    completion) words="--help bash zsh fish" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _squall squall
