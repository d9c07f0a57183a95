import type { Mount } from './plan-mounts.ts'
import type { SandboxSpec } from './sandbox-spec.ts'

/** Everything of its own but the files; with its end, also by our death, all in it ends. */
const NAMESPACE_FLAGS =
  '--unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent'

/** The arguments with which bubblewrap makes a sandbox. */
export function bubblewrapArgs({ mounts, tmpBytes, network }: SandboxSpec): readonly string[] {
  const size = String(tmpBytes)
  return [
    ...NAMESPACE_FLAGS.split(' '),
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...`--ro-bind / / --dev /dev --size ${size} --tmpfs /dev/shm --remount-ro /dev --proc /proc`.split(' '),
    ...mounts.flatMap((mount) => mountArgs(mount, size)),
    '--chdir',
    '/',
    '--',
  ]
}

function mountArgs({ kind, from, at }: Mount, size: string): readonly string[] {
  if (kind === 'folder') return ['--size', size, '--tmpfs', at]
  if (kind === 'file') return ['--ro-bind', '/dev/null', at]
  return [kind === 'write' ? '--bind' : '--ro-bind', from, at]
}
