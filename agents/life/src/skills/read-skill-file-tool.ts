import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Skills } from './skill.ts'

const input = z.object({
  skill: z.string().min(1).max(64).describe('Its name.'),
  file: z.string().min(1).max(200).describe('As the skill names it: rules/ten-gods.md.'),
})

/** Reads on in a skill: what is not always needed stands in files of its own. */
export function readSkillFileTool(skillStore: Skills): Tool {
  return defineTool({
    name: 'read_skill_file',
    description: 'Read one of the files that a skill names, when its instructions send you there.',
    inputSchema: input,
    idempotent: true,
    async execute({ skill: name, file }) {
      const { skills } = await skillStore.library()
      const skill = skills.find((each) => each.name === name)
      if (!skill) {
        const names = skills.map((each) => each.name).join(', ')
        throw new ServiceError(
          'not-found',
          `skill: there is no skill ${JSON.stringify(name)}; there are ${names}`,
        )
      }
      const text = await skillStore.read(skill, file)
      return toolResult({
        output: { skill: skill.name, file, characters: text.length },
        text: `<skill-file skill="${skill.name}" file="${file}">\n${text.trim()}\n</skill-file>`,
      })
    },
  })
}
