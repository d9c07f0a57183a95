import type { Transaction } from 'kysely'

import type { Need, Tables } from '../tables.ts'
import { skillsIn } from './skills-in.ts'
import { wantedSkills } from './wanted-skills.ts'

type Described = { readonly id: number; readonly title: string; readonly description: string | null }

/**
 * Writes down which skills a posting names, in place of those that it named before. What its title names, it
 * requires.
 */
export async function storePostingSkills(
  trx: Transaction<Tables>,
  { id, title, description }: Described,
): Promise<void> {
  const found = new Map<string, Need>(wantedSkills(description ?? '').map(({ skill, need }) => [skill, need]))
  for (const { skill } of skillsIn(title)) found.set(skill, 'required')
  await trx.deleteFrom('job_skills').where('job_id', '=', id).execute()
  if (found.size === 0) return
  const rows = Array.from(found, ([skill, need]) => ({ job_id: id, skill, need }))
  await trx.insertInto('job_skills').values(rows).execute()
}
