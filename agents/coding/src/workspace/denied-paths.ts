import { realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A file or folder that no tool may show: the server's own, or one with keys of its user. */
export type DeniedPath = {
  /** Its real path when the server saw it last. */
  readonly path: string
  /** What it is known by, also under another name. */
  readonly id: string
}

export interface DeniedPaths {
  /** All places that exist or existed. A renamed place stays closed. */
  all(): Promise<readonly DeniedPath[]>
}

/** Keys, logins and histories in the home of a user. */
const SECRETS =
  `.ssh .aws .azure .gnupg .kube .docker .netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .vault-token
  .password-store .cargo/credentials .cargo/credentials.toml .gem/credentials .terraform.d .oci .config/gcloud
  .config/gh .config/hub .config/op .config/dragoman .config/google-chrome .config/chromium .mozilla
  .thunderbird .local/share/keyrings .claude .claude.json .codex .gemini .bash_history .zsh_history
  .python_history .node_repl_history .psql_history .mysql_history`.split(/\s+/)

/** `server` is the home of the server, `users` are the homes of its user. */
export function createDeniedPaths(server: string | undefined, users: readonly string[]): DeniedPaths {
  const named = [server ?? [], users.flatMap((home) => SECRETS.map((name) => join(home, name)))].flat()
  const places = new Map<string, DeniedPath>()
  return {
    async all() {
      for (const place of (await Promise.all(named.map(readPlace))).flat()) places.set(place.id, place)
      return [...places.values()]
    },
  }
}

async function readPlace(path: string): Promise<readonly DeniedPath[]> {
  try {
    const real = await realpath(path)
    return [{ path: real, id: identityOf(await stat(real, { bigint: true })) }]
  } catch {
    return []
  }
}

export type Identity = { readonly dev: bigint; readonly ino: bigint; readonly birthtimeNs: bigint }

/** The same under each name. With the time of birth, a new file that gets the number of a deleted one is another. */
export function identityOf({ dev, ino, birthtimeNs }: Identity): string {
  return [dev, ino, birthtimeNs].join(':')
}

/** The homes of the server's user: the one in the environment and the one of the account. */
export function userHomes(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return [env['HOME'] ?? homedir(), accountHome() ?? []].flat()
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}
