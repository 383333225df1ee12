import ArgumentParser

/// The completion scripts of ArgumentParser, with two additions: `waymark help` completes the commands, and in bash and zsh, the value of
/// an option also completes after an equals sign, as in `--device=so`.
enum CompletionScript {
    /// The completed script; nil for a text that is not one of the scripts.
    static func completed(_ script: String) -> String? {
        let commands = WaymarkProgram.configuration.subcommands.map { $0._commandName }.joined(separator: " ")
        if script.hasPrefix("#!/bin/bash") { return bash(script, commands) }
        if script.hasPrefix("#compdef") { return zsh(script, commands) }
        if script.hasPrefix("function __waymark") { return fish(script, commands) }
        return nil
    }

    /// Bash splits `--device=so` into three words.
    private static func bash(_ script: String, _ commands: String) -> String {
        script.replacing("\ncomplete -o filenames -F _waymark waymark", with: "\n") + """
            _waymark_help() {
                COMPREPLY+=($(compgen -W '\(commands)' -- "${cur}"))
            }

            # Completes with the value of --device=so in the word after the option, as the functions above expect it.
            _waymark_joined() {
                local -a joined_words=()
                local -i index
                for ((index = 0; index <= COMP_CWORD; index++)); do
                    if [[ "${index}" -gt 0 && "${COMP_WORDS[index]}" = "=" && "${COMP_WORDS[index - 1]}" = --* ]]; then
                        if [[ "${index}" -eq "${COMP_CWORD}" ]]; then joined_words+=(""); fi
                    else
                        joined_words+=("${COMP_WORDS[index]}")
                    fi
                done
                local joined_cur="${2}"
                if [[ "${joined_cur}" = "=" ]]; then joined_cur=""; fi
                local -a COMP_WORDS=("${joined_words[@]}")
                local -i COMP_CWORD=$((${#joined_words[@]} - 1))
                _waymark "${1}" "${joined_cur}" "${joined_words[COMP_CWORD - 1]}"
            }

            complete -o filenames -F _waymark_joined waymark

            """
    }

    /// In zsh, `--device=` instead of `--device` in a specification also accepts the value in the same word.
    private static func zsh(_ script: String, _ commands: String) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            if line.hasSuffix("'*:subcommands:'") { return "\(line.dropLast())(\(commands))'" }
            // The value of an option follows its description.
            guard line.contains("]:"), let name = line.firstMatch(of: /^ *'(?:\*|\([^)]*\)'\{[^}]*)?--[a-z-]+(?=\[|\}'\[)/) else {
                return String(line)
            }
            return "\(line[name.range])=\(line[name.range.upperBound...])"
        }
        return lines.joined(separator: "\n")
    }

    private static func fish(_ script: String, _ commands: String) -> String {
        script + "\ncomplete -c 'waymark' -n '__waymark_should_offer_completions_for_positional \"waymark help\" -eq 1' -fka '\(commands)'"
    }
}
