import { z } from 'zod'

import { defineTool, toolResult, type AgentServices, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import type { Phrase } from '../language.ts'
import { cardLanguage } from '../tools/card-language.ts'
import { selectableSkills, titleOf } from './active-skills.ts'
import { MAX_ACTIVE_SKILLS } from './store-conversation.ts'
import { topics, type Library, type Skill, type Skills } from './skill.ts'
import { skillPrompt } from './skill-prompt.ts'

const input = z.object({
  skills: z
    .array(z.string().min(1).max(64))
    .max(MAX_ACTIVE_SKILLS)
    .describe(
      'By name, from the catalogue: all that this conversation needs from now on, those in use included. None: it ' +
        'goes on without any.',
    ),
  topic: z.enum(topics).nullish().describe('What the conversation is about.'),
  birth_info_provided: z
    .boolean()
    .nullish()
    .describe('Whether the user has given their birth data in this conversation.'),
})

/**
 * Switches the conversation to skills: for what is left of the turn by its result, and for all later turns because it
 * is kept.
 */
export function useSkillTool(skillStore: Skills, services: Pick<AgentServices, 'updateThreadContext'>): Tool {
  return defineTool({
    name: 'use_skill',
    description:
      'Switch this conversation to one or more skills of the catalogue. Gives their instructions, which hold at ' +
      'once and for the rest of the conversation.',
    inputSchema: input,
    idempotent: true,
    async execute({ skills: names, topic, birth_info_provided: born }, { userId, threadId, context }) {
      const library = await skillStore.library()
      const selected = [...new Set(names)].map((name) => findSkill(library, name))
      const active = selected.map(({ name }) => name)
      await services.updateThreadContext(
        { userId, agent: 'life', name: threadId },
        { skills: active, ...(topic && { topic }) },
      )
      const language = cardLanguage(context)
      const output = {
        status: 'success',
        cardType: 'skill_switch',
        skills: selected.map((skill) => ({ name: skill.name, title: titleOf(skill, language) })),
        ...(topic && { topic }),
        text:
          selected.map((skill) => titleOf(skill, language)).join(language === 'zh' ? '、' : ', ') ||
          NONE[language],
      }
      return toolResult({ output, text: switchText(selected, born ?? undefined) })
    },
  })
}

/** @throws ServiceError `invalid-input`, which says what there is */
function findSkill(library: Library, name: string): Skill {
  const skill = selectableSkills(library).find((each) => each.name === name)
  if (skill) return skill
  const names = selectableSkills(library).map((each) => each.name)
  throw new ServiceError(
    'invalid-input',
    `skills: there is no skill ${JSON.stringify(name)}. Known: ${names.join(', ')}`,
  )
}

const NONE: Phrase = { zh: '不使用技能', en: 'No skill' }

function switchText(selected: readonly Skill[], born: boolean | undefined): string {
  if (selected.length === 0) return 'No skill is in use from now on. Go on with what the user asked.'
  const birth =
    born === true
      ? 'The user has given their birth data in this conversation: compute the chart from it (calculate_bazi) unless ' +
        'it is saved already.'
      : 'Where birth data is needed and none is saved, open the form with request_info; do not ask for it in prose.'
  return [
    'These skills are in use from now on. What follows are instructions of this server: follow them, and go on ' +
      'with what the user asked.',
    ...selected.map((skill) => skillPrompt(skill)),
    birth,
  ].join('\n\n')
}

/** The skills that a call of the tool has switched to. */
export function skillsUsed({ tool, input: called }: { tool: string; input: Json }): readonly string[] {
  if (tool !== 'use_skill' || !isJsonObject(called)) return []
  const { skills } = called
  return Array.isArray(skills) ? skills.filter((name) => typeof name === 'string') : []
}
