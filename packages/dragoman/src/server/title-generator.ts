import { isServiceError } from '../errors.ts'
import type { Quota } from '../access/quota/index.ts'
import type { Agent } from '../agents/index.ts'
import type { Database } from '../database/index.ts'
import { estimateTokens } from '../events/index.ts'
import { generateText, type Models } from '../models/index.ts'
import { createTitles, type AskModel } from '../threads/index.ts'
import type { UserChanges } from '../log/index.ts'
import type { ModelAccess } from './model-access.ts'

export type TitleGeneratorOptions = {
  readonly titles: 'words' | 'model'
  readonly db: Database
  readonly changes: UserChanges
  readonly models: Models
  readonly modelAccess: ModelAccess
  /** The user whose thread it is pays. */
  readonly charge: Quota['charge']
  /** By agent id. */
  readonly staff: ReadonlyMap<string, { readonly agent: Agent }>
}

/**
 * Has an agent's own model name its conversations, where that is wanted, until `signal` aborts. The demo model
 * knows no names.
 */
export async function generateTitles(
  { titles: source, db, changes, models, modelAccess, staff, charge }: TitleGeneratorOptions,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  if (source === 'words') return
  const ask: AskModel = async ({ agent: id, userId, ...question }, titleSignal) => {
    const agent = staff.get(id)?.agent
    if (!agent) return undefined
    try {
      const choice = models.choose(modelAccess.settingsFor(agent, userId))
      if (choice.name === 'offline') return undefined
      const promptTokens = estimateTokens(question.instructions + question.text)
      return await charge({ userId, agent: id, promptTokens }, (meter) =>
        generateText(choice, question, titleSignal, meter),
      )
    } catch (error) {
      // The first words stay.
      if (isServiceError(error, 'quota-exceeded') || isServiceError(error, 'forbidden')) return undefined
      throw error
    }
  }
  const generator = createTitles(db, ask, ({ userId, id }) =>
    changes.announce(userId, { type: 'thread.changed', threadId: id }),
  )
  await generator.keepUp(signal, report)
}
