import { delimiter, isAbsolute, join, sep } from 'node:path'

import { isWithin } from '../workspace/is-within.ts'

/**
 * The variables that commands get: programs, certificates, tools of the user, and the language. All others stay here,
 * because keys are among them. A list of allowed names cannot forget a key.
 */
const PASSED_NAMES = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
  CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR
  VOLTA_HOME PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX PNPM_HOME BUN_INSTALL DENO_DIR ANDROID_HOME DOTNET_ROOT
  SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
  PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE NO_PROXY`.split(
    /\s+/,
  ),
)
const URL_NAMES = new Set([
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NPM_CONFIG_REGISTRY',
  'PIP_INDEX_URL',
  'GOPROXY',
])
const SECRET = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH/i

/** Commands have no pager, no prompts and no colors. */
const FIXED = {
  CI: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
}

/** Where programs are looked for if the server itself was not told. */
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where this program is installed: its own folder, or the node_modules in which that lies. npm puts the programs in
 * there on the PATH.
 */
const INSTALL_FOLDER = installFolder(join(import.meta.dirname, '../../../..'))

/**
 * The environment of a command: no key of the server's, nor of its user's, is in it, and no program that came with the
 * server.
 */
export function commandEnvironment(ours: Environment): Record<string, string> {
  const passed = Object.entries(ours).flatMap(([name, value]) => {
    const commandValue = value === undefined ? undefined : passedValue(name.toUpperCase(), value)
    return commandValue === undefined ? [] : [[name, commandValue]]
  })
  return { PATH: DEFAULT_PATH, ...(Object.fromEntries(passed) as Record<string, string>), ...FIXED }
}

function passedValue(name: string, value: string): string | undefined {
  if (URL_NAMES.has(name)) return removePassword(value)
  if (name === 'PATH') return removeOwnPrograms(value)
  const isMeant = PASSED_NAMES.has(name) || /^LC_[A-Z]+$/.test(name)
  return isMeant && !SECRET.test(name) ? value : undefined
}

export function installFolder(folder: string): string {
  const [outside, ...inside] = folder.split(`${sep}node_modules${sep}`)
  return inside.length === 0 ? folder : join(outside ?? '', 'node_modules')
}

function removeOwnPrograms(path: string): string {
  return path
    .split(delimiter)
    .filter((each) => !isAbsolute(each) || !isWithin(INSTALL_FOLDER, each))
    .join(delimiter)
}

/** Removes passwords from comma-separated addresses. An address that cannot be parsed and may hold one is dropped. */
function removePassword(value: string): string | undefined {
  if (!value.includes('@')) return value
  const url = URL.parse(value)
  if (!url) return undefined
  url.username = ''
  url.password = ''
  return url.href.includes('@') ? undefined : url.href
}
