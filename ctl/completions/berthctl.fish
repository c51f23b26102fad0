# SPDX-License-Identifier: Apache-2.0
# fish completion for berthctl. Commands and options come from its own help, names of pods and
# namespaces from berthd, so little here has to follow either.

function __berthctl_list # COMMANDS...: "NAME<tab>TEXT" of each command below
    berthctl $argv --help 2>/dev/null |
        awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 }
             on { name = $1; sub(/^ *[^ ]+ +/, ""); print name "\t" $0 }'
end

function __berthctl_option_list
    begin
        berthctl $argv --help
        test (count $argv) -eq 0; or berthctl --help
    end 2>/dev/null | awk '/^  -/ { gsub(/[{=].*/, "", $1); gsub(/,/, "\n", $1); print $1 }' | sort -u
end

function __berthctl_types # what comes first behind a command; afterwards come names
    switch "$argv"
        case get
            printf '%s\n' pods node events probes pdb
        case describe
            printf '%s\n' pod node
        case top
            printf '%s\n' pods node
        case set
            echo condition
        case evictions
            printf '%s\n' explain log simulate
    end
end

function __berthctl_ask
    berthctl --request-timeout 1s $argv 2>/dev/null
end

function __berthctl
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l commands
    set -l namespace
    set -l known (__berthctl_list)
    set -l previous $words[-1]
    set -e words[1]
    set -l after
    for word in $words
        if test "$after" = namespace
            set namespace -n $word
            set after
            continue
        end
        switch $word
            case --
                return
            case -n --namespace
                set after namespace
                continue
        end
        if string match -q -- "$word"\t"*" $known
            set -a commands $word
            set known (__berthctl_list $commands)
        end
    end
    switch "$previous"
        case -o --output
            printf '%s\n' table wide json yaml name
            return
        case -n --namespace
            __berthctl_ask get pods -A --no-headers | awk '{ print $1 }' | sort -u
            return
        case --config --socket -f --filename
            __fish_complete_path $current
            return
    end
    if string match -q -- '-*' $current
        __berthctl_option_list $commands
    else if test -n "$known"
        printf '%s\n' $known
    else if test "$commands" = "$previous" -a -n "$(__berthctl_types $previous)"
        __berthctl_types $previous
    else if not contains -- "$commands" evictions reload shutdown-plan
        __berthctl_ask $namespace get pods --no-headers | awk '{ print $1 }'
    end
end

complete -c berthctl -f -a '(__berthctl)'
