import { modelSettings, type Agent } from '../agents/index.ts'
import type { Database } from '../database/index.ts'
import { generateText, type Models } from '../models/index.ts'
import { createTitles } from '../threads/index.ts'

export type TitleGeneratorOptions = {
  readonly titles: 'words' | 'model'
  readonly db: Database
  readonly models: Models
  /** By agent id. */
  readonly staff: ReadonlyMap<string, { readonly agent: Agent }>
}

/**
 * Has an agent's own model name its conversations, where that is wanted, until `signal` aborts. The demo model
 * knows no names.
 */
export async function generateTitles(
  { titles: source, db, models, staff }: TitleGeneratorOptions,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  if (source === 'words') return
  const generator = createTitles(db, async ({ agent: id, ...asked }, titleSignal) => {
    const agent = staff.get(id)?.agent
    const choice = agent && models.choose(modelSettings(agent.model))
    return !choice || choice.name === 'offline' ? undefined : generateText(choice, asked, titleSignal)
  })
  await generator.keepUp(signal, report)
}
