import type { Config } from '../../config.ts'
import { notable, well, type Finding } from './finding.ts'
import { agents } from './home.ts'

/** Whether the life agent's skills can be read, those in the home's `skills/` among them. */
export async function skills(config: Config): Promise<Finding[]> {
  const { found } = await agents(config)
  const life = found.find(({ agent }) => agent.id === 'life')
  const notes = (await life?.condition?.())?.notes ?? []
  return notes.length === 0 ? [well('Skills: all can be read.')] : notes.map(notable)
}
