import { realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path'

import { liesIn } from '../workspace/lies-in.ts'

/** Where the user's own things are, where the server's, and where programs are looked for. */
export type Grounds = {
  readonly homes: readonly string[]
  readonly hidden: string
  readonly path: string
}

/** What of a home belongs to no single project: programs, and who the user is to git. */
const TOOLS =
  `.local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv .local/share/pnpm .nvm .fnm .volta .asdf .pyenv
  .rbenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin go/bin .gitconfig .config/git/config`.split(/\s+/)

/** What must not be seen even where a whole home is worked in. */
const SECRETS =
  `.ssh .aws .azure .gnupg .kube .docker .netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .vault-token .password-store
  .cargo/credentials .cargo/credentials.toml .gem/credentials .terraform.d .oci .config/gcloud .config/gh .config/hub .config/op .config/dragoman
  .config/google-chrome .config/chromium .mozilla .thunderbird .local/share/keyrings .claude .claude.json .codex .gemini .bash_history
  .zsh_history .python_history .node_repl_history .psql_history .mysql_history`.split(/\s+/)

/** Sockets of other programs are here, the one of Docker among them; and how names are looked up, which is left. */
const RUN_KEPT = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
]

type Mount = { readonly path: string; readonly as: 'empty' | 'read' | 'write' }

/**
 * What stands where in the sandbox, above a root that can only be read: what is deeper counts more. The folders that are worked in can be
 * written to; the home is empty but for tools; the server's own home is empty.
 */
export async function mountsOf(
  { homes, hidden, path }: Grounds,
  folders: readonly string[],
): Promise<readonly string[]> {
  const real = await Promise.all(homes.map((home) => realpath(home).catch(() => '/')))
  // A user without a home has the root for one.
  const own = real.filter((home) => home !== '/')
  const tools = await Promise.all(own.map((home) => toolsIn(home, path)))
  const secrets = own
    .flatMap((home) => SECRETS.map((name) => join(home, name)))
    .filter((each) => folders.some((folder) => liesIn(folder, each)))
  const mounts: readonly (readonly Mount[])[] = [
    all('empty', ['/tmp', '/var/tmp', '/run', ...own]),
    all('read', [...RUN_KEPT, ...tools.flat()]),
    all('write', folders),
    all('empty', [...secrets, hidden]),
  ]
  const placed = await Promise.all(mounts.flat().map(placedOf))
  return placed
    .flat()
    .toSorted((a, b) => a.depth - b.depth)
    .flatMap(({ args }) => args)
}

function all(as: Mount['as'], paths: readonly string[]): Mount[] {
  return paths.map((path) => ({ path, as }))
}

/** Also what the search for programs leads to, where that is in the home; and what such programs are made of, which stands beside them. */
async function toolsIn(home: string, path: string): Promise<readonly string[]> {
  const folders = path.split(delimiter).filter((each) => isAbsolute(each))
  const searched = await Promise.all(
    folders.map(async (each) => (liesIn(home, each) ? each : realpath(each).catch(() => each))),
  )
  const beside = searched.map((each) =>
    basename(each) === '.bin' ? dirname(each) : join(dirname(each), 'lib'),
  )
  return [
    ...TOOLS.map((name) => join(home, name)),
    ...[...searched, ...beside].filter((each) => each !== home && liesIn(home, each)),
  ]
}

/** How bubblewrap is told; nothing of what is not there. */
async function placedOf({ path, as }: Mount): Promise<readonly { depth: number; args: readonly string[] }[]> {
  try {
    const real = await realpath(path)
    // A link to a tool is no link any more; what is hidden is hidden where it is.
    const at = as === 'read' ? path : real
    const depth = at.split(sep).length
    if (as === 'write') return [{ depth, args: ['--bind', real, at] }]
    if (as === 'read') return [{ depth, args: ['--ro-bind', real, at] }]
    const isFolder = (await stat(real)).isDirectory()
    return [{ depth, args: isFolder ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at] }]
  } catch {
    return []
  }
}
