complete -c squall -n __fish_use_subcommand -a run -d 'Run a profile in virtual time and report what it found.'
complete -c squall -n __fish_use_subcommand -a check -d 'Run a profile twice and compare every byte of the results.'
complete -c squall -n __fish_use_subcommand -a report -d 'Draw report.html again from the other files of a run.'
complete -c squall -n __fish_use_subcommand -a validate -d 'Check profile files and report every problem.'
complete -c squall -n __fish_use_subcommand -a profiles -d 'List the profiles in ./Profiles with their questions.'
complete -c squall -n __fish_use_subcommand -a apps -d 'Show what each app'\''s token design does, measured just now.'
complete -c squall -n __fish_use_subcommand -a schema -d 'Print the JSON Schema of profile files, for editors, or of summary.json.'
complete -c squall -n __fish_use_subcommand -a openapi -d 'Print the backend'\''s contract as an OpenAPI 3.1 document.'
complete -c squall -n __fish_use_subcommand -a selftest -d 'Hold the simulation against queueing theory, in standard deviations.'
complete -c squall -n __fish_use_subcommand -a bench -d 'Measure how fast this build simulates on this machine.'
complete -c squall -n __fish_use_subcommand -a help -d 'Explain a command, the exit codes or the profile format.'
complete -c squall -n __fish_use_subcommand -a completion -d 'Print a completion script for a shell.'
complete -c squall -n '__fish_seen_subcommand_from run' -l seed -r -d 'Seed instead of the profile'\''s.'
complete -c squall -n '__fish_seen_subcommand_from run' -l users -r -d 'Users in total, shared among populations in proportion.'
complete -c squall -n '__fish_seen_subcommand_from run' -l for -r -d 'Virtual time instead of the profile'\''s duration, such as 30s or 2h.'
complete -c squall -n '__fish_seen_subcommand_from run' -l set -r -d 'A setting instead of the profile'\''s, such as backend.tokens.accessLifetime=5m; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from run' -l threshold -r -d 'An expectation beside the profile'\''s, such as '\''hangs: count==0'\''; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from run' -l out -r -d 'Where results go; Results by default.'
complete -c squall -n '__fish_seen_subcommand_from run' -l json -d 'Print the summary as one JSON document.'
complete -c squall -n '__fish_seen_subcommand_from run' -l trace -r -d 'Record every call of user:17, app:scrolly or a list of them in trace.json, for ui.perfetto.dev.'
complete -c squall -n '__fish_seen_subcommand_from run' -l quiet -d 'Show no progress and no notes.'
complete -c squall -n '__fish_seen_subcommand_from run' -l no-color -d 'Never use colour.'
complete -c squall -n '__fish_seen_subcommand_from run' -a "(squall profiles 2>/dev/null | string match -rv '^ ')"
complete -c squall -n '__fish_seen_subcommand_from check' -l seed -r -d 'Seed instead of the profile'\''s.'
complete -c squall -n '__fish_seen_subcommand_from check' -l users -r -d 'Users in total, shared among populations in proportion.'
complete -c squall -n '__fish_seen_subcommand_from check' -l for -r -d 'Virtual time instead of the profile'\''s duration, such as 30s or 2h.'
complete -c squall -n '__fish_seen_subcommand_from check' -l set -r -d 'A setting instead of the profile'\''s, such as backend.tokens.accessLifetime=5m; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from check' -l threshold -r -d 'An expectation beside the profile'\''s, such as '\''hangs: count==0'\''; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from check' -a "(squall profiles 2>/dev/null | string match -rv '^ ')"
complete -c squall -n '__fish_seen_subcommand_from report' -a ""
complete -c squall -n '__fish_seen_subcommand_from validate' -l set -r -d 'A setting instead of the profile'\''s, such as backend.tokens.accessLifetime=5m; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from validate' -l threshold -r -d 'An expectation beside the profile'\''s, such as '\''hangs: count==0'\''; may be given several times.'
complete -c squall -n '__fish_seen_subcommand_from validate' -a "(squall profiles 2>/dev/null | string match -rv '^ ')"
complete -c squall -n '__fish_seen_subcommand_from apps' -l json -d 'Print the answers as one JSON document.'
complete -c squall -n '__fish_seen_subcommand_from apps' -a "scrolly thisBookThatBook shareD ootd"
complete -c squall -n '__fish_seen_subcommand_from schema' -a "profile summary"
complete -c squall -n '__fish_seen_subcommand_from openapi' -a "2023 2024"
complete -c squall -n '__fish_seen_subcommand_from selftest' -l filter -r -d 'Only models whose name contains the text.'
complete -c squall -n '__fish_seen_subcommand_from selftest' -l thorough -d 'Every model, with ten times as many replications.'
complete -c squall -n '__fish_seen_subcommand_from selftest' -l seed -r -d 'Measure with other random numbers; 1 unless said otherwise.'
complete -c squall -n '__fish_seen_subcommand_from selftest' -l json -d 'Print the checks as one JSON document.'
complete -c squall -n '__fish_seen_subcommand_from selftest' -l quiet -d 'Show no progress and no notes.'
complete -c squall -n '__fish_seen_subcommand_from bench' -l filter -r -d 'Only benchmarks whose name contains the text.'
complete -c squall -n '__fish_seen_subcommand_from bench' -l json -d 'Print the numbers as one JSON document.'
complete -c squall -n '__fish_seen_subcommand_from bench' -l baseline -r -d 'Compare with numbers that --json printed before.'
complete -c squall -n '__fish_seen_subcommand_from bench' -l quiet -d 'Show no progress and no notes.'
complete -c squall -n '__fish_seen_subcommand_from help' -a "run check report validate profiles apps schema openapi selftest bench help completion exit-codes profile"
complete -c squall -n '__fish_seen_subcommand_from completion' -a "bash zsh fish"
