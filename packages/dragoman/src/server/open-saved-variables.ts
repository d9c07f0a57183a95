import { existingServerKeys, readHomeKey, readServerKeys } from '../access/users/index.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import { isServiceError } from '../errors.ts'
import { readKeysFile, removeKeysFile } from '../home-files/index.ts'
import type { SavedModels } from '../models/index.ts'
import { reseal } from '../sealing/index.ts'
import { isDecided } from './provider-settings.ts'
import {
  createSavedVariables,
  sealedVariables,
  type SavedVariables,
  type Variables,
} from './saved-variables.ts'

type Options = Pick<Config, 'home' | 'env'> & {
  readonly db: Database
  readonly warn: (problem: string) => void
}

/** Opens what pages have saved. What an earlier version has saved in `keys.json` of the home is taken over once. */
export async function openSavedVariables({ home, env, db, warn }: Options): Promise<SavedVariables> {
  await sealWithSecret({ home, env, db })
  const saved = savedVariablesOf({ home, env, db })
  await saved.read()
  const inFile = readKeysFile(home)
  if (inFile) await takeOver(inFile).catch(passOver)
  return saved

  async function takeOver(values: Readonly<Record<string, string>>): Promise<void> {
    const present = new Set([...Object.keys(saved.values()), ...saved.unopened()])
    const missing = Object.entries(values).filter(([name]) => !present.has(name))
    if (missing.length > 0) await saved.write([], Object.fromEntries(missing))
    await saved.read()
    removeKeysFile(home)
  }

  function passOver(error: unknown): void {
    if (!isServiceError(error, 'conflict')) throw error
    warn(`keys.json of ${home} is not used, and its keys are in plain text. ${error.message}`)
  }
}

type Source = Omit<Options, 'warn'>

function savedVariablesOf(source: Source): SavedVariables {
  const keys = { ...source, name: 'settings-key' } as const
  return createSavedVariables(source.db, {
    toOpen: () => existingServerKeys(keys),
    toSeal: () => readServerKeys(keys),
  })
}

/** Seals what the key of the home has sealed with the owner's secret, once there is one. */
async function sealWithSecret({ home, env, db }: Source): Promise<void> {
  const source = { name: 'settings-key', home, env, db } as const
  const key = env['DRAGOMAN_SECRET'] ? await readHomeKey(source) : undefined
  if (!key) return
  const [current] = await readServerKeys(source)
  await reseal(sealedVariables(db), [current, key])
}

/** A sentence for saved variables that this node cannot open. Undefined if there are none. */
export function unopenedSentence(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return (
    `${names.join(', ')}: saved, but sealed with another secret than this node has. Start it with the ` +
    'DRAGOMAN_SECRET (on one node: the file settings-key of the home) with which they were saved, or name ' +
    'that secret as DRAGOMAN_OLD_SECRET and run dragoman reseal, or save them again, or remove them.'
  )
}

/** What of it the models use. What the environment decides need not be opened. */
export function usableOf(values: Variables, unopened: readonly string[], env: Options['env']): SavedModels {
  return { values, closed: unopenedSentence(unopened.filter((name) => !isDecided(name, env))) }
}

/** What pages have saved, for a check that changes nothing: as the server opens it. */
export async function readSavedVariables(source: Source): Promise<SavedModels> {
  const saved = savedVariablesOf(source)
  await saved.read()
  return usableOf(saved.values(), saved.unopened(), source.env)
}
