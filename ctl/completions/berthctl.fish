# SPDX-License-Identifier: Apache-2.0
# fish completion for berthctl. Commands, options and output formats come from its own help, names of
# pods, containers and namespaces from berthd, so little here has to follow either.

function __berthctl_list # COMMANDS...: "NAME<tab>TEXT" of each command below
    berthctl $argv --help 2>/dev/null |
        awk '/^Subcommands:/ { on = 1; next } /^$/ { on = 0 }
             on { name = $1; sub(/^ *[^ ]+ +/, ""); print name "\t" $0 }'
end

function __berthctl_option_list # "OPTION VALUE" of each, its names apart; no VALUE: it takes none
    begin
        berthctl $argv --help
        test (count $argv) -eq 0; or berthctl --help
    end 2>/dev/null |
        awk '/^  -/ { value = /^  -[^ ]+ [^ ]/ ? $2 : ""; sub(/[{=].*/, "", $1); sub(/=.*/, "", value)
                      for (i = split($1, names, ","); i > 0; i--) print names[i] " " value }' | sort -u
end

function __berthctl_formats
    berthctl $argv --help 2>/dev/null | sed -n 's/^  -o,--output FORMAT//p' | grep -owE 'table|wide|json|yaml|name'
end

function __berthctl_types # what comes first behind a command; afterwards come names
    switch "$argv"
        case get
            printf '%s\n' pods node events probes pdb
        case describe
            printf '%s\n' pod node
        case top
            printf '%s\n' pods node
        case delete evict
            echo pod
        case set
            echo condition
        case evictions
            printf '%s\n' explain log simulate
    end
end

function __berthctl_ask # WHERE...: the options that say which berthd and which namespace
    berthctl --request-timeout 1s $argv 2>/dev/null
end

function __berthctl_pods # PREFIX WHERE...
    set -l prefix $argv[1]
    __berthctl_ask $argv[2..-1] get pods --no-headers | awk -v prefix="$prefix" '{ print prefix $1 }'
end

function __berthctl_containers # WHERE... POD: its containers, init containers as well
    set -l pod (string replace -r '^pod/' '' -- $argv[-1])
    __berthctl_ask $argv[1..-2] get pods $pod -o yaml | awk '
        /^[^ ]/ { spec = /^spec:/ } /^  [^ -]/ { on = spec && /^  (init)?[cC]ontainers:/ }
        on && (/^  - name: / || /^    name: /) { gsub(/["\047]/, "", $NF); print $NF }'
end

function __berthctl_names # CURRENT COMMAND WORDS... -- WHERE...: what may come behind a command
    set -l cut (contains -i -- -- $argv)
    set -l where $argv[(math $cut + 1)..-1]
    set -l current $argv[1]
    set -l command $argv[2]
    set -l before
    test $cut -gt 3; and set before $argv[3..(math $cut - 1)]
    set -l prefix ''
    string match -q 'pod/*' -- $current; and set prefix pod/
    switch "$command:"(count $before)
        case get:0 describe:0 top:0
            if test -z "$prefix"
                __berthctl_types $command
                return
            end
        case delete:0 evict:0
            __berthctl_types $command
            set prefix pod/
        case set:0 evictions:0
            __berthctl_types $command
            return
        case set:1
            echo pod
            set prefix pod/
        case set:2
            test "$before[2]" = pod; or return
        case why:0
            test -n "$prefix"; or echo node
        case logs:0 exec:0
        case logs:1
            __berthctl_containers $where $before[1]
            return
        case 'get:*' 'describe:*' 'top:*' 'delete:*' 'evict:*' 'why:*'
            switch $before[1]
                case pod pods po probe probes
                    set prefix ''
                case 'pod/*'
                    set prefix pod/
                case '*'
                    return
            end
        case '*'
            return
    end
    __berthctl_pods "$prefix" $where
end

function __berthctl
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    set -l commands
    set -l where
    set -l before
    set -l known (__berthctl_list)
    set -l options (__berthctl_option_list)
    set -l option
    for word in $words
        if test -n "$option"
            contains -- $option -n --namespace --socket; and set -a where $option $word
            set option
            continue
        end
        switch $word
            case --
                return
            case '--namespace=*' '--socket=*'
                set -a where $word
            case '-*'
                string match -qr -- "^$word [A-Z]" $options; and set option $word
            case '*'
                if string match -q -- "$word"\t"*" $known
                    set -a commands $word
                    set known (__berthctl_list $commands)
                    set options (__berthctl_option_list $commands)
                else
                    set -a before $word
                end
        end
    end
    switch "$option"
        case ''
            if string match -q -- '-*' $current
                string replace -r ' .*' '' -- $options
            else if test -n "$known"
                printf '%s\n' $known
            else
                __berthctl_names "$current" "$commands" $before -- $where
            end
        case -o --output
            __berthctl_formats $commands
        case -n --namespace
            __berthctl_ask $where get pods -A --no-headers | awk '{ print $1 }' | sort -u
        case -c --container
            test -n "$before"; and __berthctl_containers $where $before[1]
        case --for
            __berthctl_pods pod/ $where
        case --types
            printf '%s\n' Normal Warning
        case '*'
            if test "$option" = --config; or string match -qr -- "^$option (FILE|PATH)" $options
                __fish_complete_path $current
            end
    end
end

complete -c berthctl -f -a '(__berthctl)'
