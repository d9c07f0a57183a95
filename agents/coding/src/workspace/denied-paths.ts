import { realpath, stat } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

import { aliasesOf, readMounts, type MountedPath } from './mount-aliases.ts'

/** A file or folder that no tool may show: the server's own, or one with keys of its user. */
export type DeniedPath = {
  /** One of its real paths when the server saw it last: a second mount has one of its own. */
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
  `.ssh .aws .azure .gnupg .age .kube .minikube .docker .netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pip .pgpass
  .my.cnf .mylogin.cnf .gitconfig .config/git .git-credentials .subversion .hgrc .vault-token .password-store
  .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .composer/auth.json .m2/settings.xml
  .m2/settings-security.xml .gradle/gradle.properties .nuget .sbt/credentials .ivy2/.credentials .terraform.d
  .terraformrc .oci .s3cfg .boto .databrickscfg .kaggle .huggingface .cache/huggingface/token .dbt .snowflake .fly
  .railway .authinfo .authinfo.gpg .curlrc .wgetrc .msmtprc .mbsyncrc .fetchmailrc .config/gcloud .config/gh
  .config/glab-cli .config/hub .config/op .config/doctl .config/hcloud .config/rclone .config/pip .config/pypoetry
  .config/composer .config/NuGet .config/containers .config/helm .config/sops .config/age .config/netlify
  .config/configstore .config/github-copilot .config/dragoman .config/google-chrome .config/chromium .mozilla
  .thunderbird .local/share/keyrings .local/share/uv/credentials .local/share/pypoetry .claude .claude.json .codex
  .gemini .cursor .bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history
  .psql_history .mysql_history .sqlite_history .rediscli_history .dbshell`.split(/\s+/)

/** `server` is the home of the server, `users` are the homes of its user. */
export function createDeniedPaths(server: string | undefined, users: readonly string[]): DeniedPaths {
  const named = [server ?? [], users.flatMap((home) => SECRETS.map((name) => join(home, name)))].flat()
  const places = new Map<string, DeniedPath>()
  return {
    async all() {
      const mounts = await readMounts()
      for (const place of (await Promise.all(named.map((each) => readPlace(each, mounts)))).flat()) {
        const key = `${place.id} ${place.path}`
        if (!places.has(key)) places.set(key, place)
      }
      return [...places.values()]
    },
  }
}

/** The place under each of its names. */
async function readPlace(path: string, mounts: readonly MountedPath[]): Promise<readonly DeniedPath[]> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return []
  const all = [real, ...(await aliasesOf(real, mounts))].map(async (name) => {
    const found = await stat(name, { bigint: true }).catch(() => undefined)
    return found ? [{ path: name, id: identityOf(found) }] : []
  })
  return (await Promise.all(all)).flat()
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
