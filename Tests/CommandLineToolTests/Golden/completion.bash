_squall() {
  local words="" current="${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="run check report validate profiles apps schema openapi selftest bench fuzz help completion --help --version"
  else
    case "${COMP_WORDS[1]}" in
    run) words="--seed --users --for --set --threshold --allow-outside --out --json --trace --allow-large --quiet --no-color --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    check) words="--seed --users --for --set --threshold --allow-outside --allow-large --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    report) words="--help " ;;
    validate) words="--set --threshold --allow-outside --help $(squall profiles 2>/dev/null | grep -v '^ ')" ;;
    profiles) words="--help" ;;
    apps) words="--json --help scrolly thisBookThatBook shareD ootd" ;;
    schema) words="--help profile summary" ;;
    openapi) words="--help 2023 2024" ;;
    selftest) words="--filter --thorough --seed --json --quiet --help" ;;
    bench) words="--filter --json --baseline --quiet --help" ;;
    fuzz) words="--profiles --first --seed --keep --quiet --help " ;;
    help) words="--help run check report validate profiles apps schema openapi selftest bench fuzz help completion exit-codes profile" ;;
    completion) words="--help bash zsh fish" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _squall squall
