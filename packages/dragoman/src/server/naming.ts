import { modelSettings, type Agent } from '../agents/index.ts'
import type { Database } from '../database/index.ts'
import { generateText, type Models } from '../models/index.ts'
import { titles } from '../threads/index.ts'

export type NamingOptions = {
  readonly titles: 'words' | 'model'
  readonly db: Database
  readonly models: Models
  /** By the agents' ids. */
  readonly staff: ReadonlyMap<string, { readonly agent: Agent }>
}

/** Has an agent's own model name its conversations, where that is wanted, until `signal` aborts. The demo model knows no names. */
export async function naming(
  { titles: by, db, models, staff }: NamingOptions,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  if (by === 'words') return
  const named = titles(db, async ({ agent: id, ...asked }, patience) => {
    const agent = staff.get(id)?.agent
    const choice = agent && models.choose(modelSettings(agent.model))
    return !choice || choice.name === 'offline' ? undefined : generateText(choice, asked, patience)
  })
  await named.keepUp(signal, report)
}
