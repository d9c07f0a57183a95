import { DEVICES, emptyFolders, type SandboxSpec } from './sandbox-spec.ts'

/**
 * Puts a seccomp filter before the rest, as no program of util-linux does everywhere: `perl -e LOADER FILTER PROGRAM
 * ARGS…`. The number is that of `prctl`; 22 is PR_SET_SECCOMP, 2 is SECCOMP_MODE_FILTER. What is packed is a `struct
 * sock_fprog`.
 */
const FILTER_LOADER = `my $filter = pack "H*", shift;
my $program = pack "S x6 P", length($filter) / 8, $filter;
syscall(NUMBER, 22, 2, $program) == 0 or die "seccomp: $!\n";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";`
const PRCTL_NUMBER: Readonly<Record<string, string>> = { x64: '157', arm64: '167' }

/**
 * Builds a sandbox with the programs of util-linux and perl:
 * `unshare … sh -c BUILD sh SIZE LOADER FILTER (KIND FROM AT)… -- PROGRAM ARGS…`. It runs with all privileges, but only
 * over its own namespaces. It makes a copy of the root that can only be read, mounts what was planned into a second
 * one, makes that the root, and gives up its privileges. It works in /sys, which is hidden afterwards. The first
 * process stays a shell, which buries what its children leave.
 */
const BUILD_SCRIPT = `set -e
searched=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
load=$(command -v perl) || { echo 'perl was not found' >&2; exit 1; }
drop=$(command -v setpriv) || { echo 'setpriv was not found' >&2; exit 1; }
umask 022
size=$1 loader=$2 filter=$3
shift 3
mount -t tmpfs -o mode=755 tmpfs /sys
mkdir /sys/read /sys/new /sys/space
mount --rbind / /sys/read
while read -r _ _ _ _ at options _; do
  case $at in
    /sys/read/proc | /sys/read/proc/* | /sys/read/sys | /sys/read/sys/* | /sys/read/dev | /sys/read/dev/*) continue ;;
    /sys/read | /sys/read/*) ;;
    *) continue ;;
  esac
  case $options in ro | ro,*) continue ;; esac
  case $at in *\\\\*)
    at=$(printf '%b.' "$(printf %s "$at" | sed 's/\\\\/\\\\0/g')")
    at=\${at%.} ;;
  esac
  [ -e "$at" ] || continue
  mount -o "remount,bind,ro\${options#rw}" "$at"
done </proc/self/mountinfo
mount --rbind /sys/read /sys/new
empty() { mount -t tmpfs -o "size=$1,mode=$2,nosuid,nodev" tmpfs "$3"; }
new=/sys/new
empty "$size,nr_inodes=$((size / 1024))" 755 /sys/space
mount -t proc -o nosuid,nodev,noexec proc $new/proc
mount -o remount,bind,ro,nosuid,nodev,noexec $new/proc
empty 1m 755 $new/dev
for each in ${DEVICES}; do
  : >$new/dev/$each
  mount --bind /dev/$each $new/dev/$each
  mount -o remount,bind,ro,nosuid,noexec $new/dev/$each
done
ln -s /proc/self/fd $new/dev/fd
for each in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/\${each%:*} $new/dev/\${each#*:}; done
mkdir $new/dev/shm $new/dev/pts
pts=newinstance,ptmxmode=0666,mode=620,nosuid,noexec
if mount -t devpts -o $pts devpts $new/dev/pts 2>/dev/null; then ln -s pts/ptmx $new/dev/ptmx; fi
mount -o remount,bind,ro,nosuid,nodev $new/dev
count=0
while [ "$1" != -- ]; do
  from=/sys/read$2 at=$new$3
  case $1 in
    close)
      mount -o remount,bind,ro,nosuid,nodev "$at"
      shift 3
      continue ;;
    temporary)
      count=$((count + 1)) from=/sys/space/$count
      mkdir "$from" ;;
    write) from=$2 ;;
    file) from=$new/dev/null ;;
    folder) from=$new ;;
  esac
  if [ ! -e "$at" ]; then
    mkdir -p "\${at%/*}"
    if [ -d "$from" ]; then mkdir "$at"; else : >"$at"; fi
  fi
  case $1 in folder) empty 4k 555 "$at" ;; *) mount --rbind "$from" "$at" ;; esac
  shift 3
done
shift
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :
echo 0 >/proc/sys/user/max_user_namespaces
cd $new
pivot_root . .
umount -l .
cd /
PATH=$searched
exec </dev/null
exec "$drop" --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs \\
  "$load" -e "$loader" "$filter" \\
  /bin/sh -c 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?' sh "$@"`

/**
 * Namespaces of its own, in which it keeps its user's number. With the end of unshare, also by our death, all in it
 * ends.
 */
const NAMESPACE_FLAGS =
  '--user --map-current-user --keep-caps --mount --pid --fork --kill-child --ipc --uts --cgroup'

/** The arguments with which unshare makes a sandbox. */
export function unshareArgs(spec: SandboxSpec): readonly string[] {
  return [
    ...NAMESPACE_FLAGS.split(' '),
    ...(spec.network === 'none' ? ['--net'] : []),
    '--',
    '/bin/sh',
    '-c',
    BUILD_SCRIPT,
    'sh',
    String(spec.tmpBytes),
    FILTER_LOADER.replace('NUMBER', PRCTL_NUMBER[process.arch] ?? ''),
    spec.filter.toString('hex'),
    'temporary',
    '-',
    '/dev/shm',
    ...spec.mounts.flatMap(({ kind, from, at }) => [kind, from, at]),
    ...emptyFolders(spec).flatMap((at) => ['close', '-', at]),
    '--',
  ]
}
