import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type AgentServices, type Operation } from 'dragoman/agents'
import type { Feature } from '../feature.ts'
import { cardTool } from './card-tool.ts'
import { storeConversation } from './store-conversation.ts'
import { readSkillFileTool } from './read-skill-file-tool.ts'
import { toolGroups, type Library, type Skill, type Skills } from './skill.ts'
import { vibeLifeSkillRoutes } from './vibelife-skill-routes.ts'
import { useSkillTool } from './use-skill-tool.ts'

const skillShape = z.object({
  name: z.string().meta({ examples: ['bazi'] }),
  description: z.string().describe('What it is for and when it is used, as the model is told.'),
  title: z.object({ zh: z.string().optional(), en: z.string().optional() }).optional(),
  core: z.boolean().describe('true: it holds in every conversation, and nobody switches to it.'),
  from: z.enum(['dragoman', 'home']).describe('home: it stands in `skills/` of the home folder.'),
  files: z.array(z.string()).describe('What the model may read on in.'),
  missing: z.array(z.string()).optional().describe('Tools that it names and this server does not have.'),
  tools: z.array(
    z.object({
      name: z.string(),
      group: z.enum(toolGroups),
      whenToCall: z.string().optional(),
      cardType: z.string().optional().describe('Of a card of the skill’s own.'),
    }),
  ),
})

const list: Operation = {
  group: 'Skills',
  summary: 'List skills',
  description:
    'Those that come with dragoman and those in `skills/` of the home folder, as their files are now. A chat ' +
    'presets one by `skill`, or the model chooses.',
  responses: {
    200: {
      description: 'All of them.',
      json: z.object({
        skills: z.array(skillShape),
        notes: z
          .array(z.string())
          .describe('What is wrong with folders that are left out, or with parts of others.'),
      }),
    },
  },
}

/** Tools to switch skills and to read on in them, those that skills bring themselves, and a route that lists them. */
export function skillsFeature(
  skillStore: Skills,
  services: Pick<AgentServices, 'readThreadContext' | 'updateThreadContext'>,
): Feature {
  return {
    tools: [useSkillTool(skillStore, services), readSkillFileTool(skillStore)],
    toolsFor: async (scope) => {
      const library = await skillStore.library()
      await storeConversation(scope, library, services)
      return { tools: cardTools(library), notes: [] }
    },
    condition: async () => ({ available: true, notes: (await skillStore.library()).notes }),
    routesAt: { '/api/v1/skills': vibeLifeSkillRoutes(skillStore) },
    routes: new Hono<AppEnv>().get('/skills', describeRoute(list), async (c) => {
      const { skills, notes } = await skillStore.library()
      return c.json({ skills: skills.map(skillBody), notes })
    }),
  }
}

/** The tools of each library. A tool caches the description of its input for the model. */
const toolsByLibrary = new WeakMap<Library, ReturnType<typeof cardTool>[]>()

function cardTools(library: Library): ReturnType<typeof cardTool>[] {
  const tools =
    toolsByLibrary.get(library) ??
    library.skills.flatMap((skill) =>
      skill.tools.flatMap((tool) => (tool.card ? [cardTool(skill.name, tool, tool.card)] : [])),
    )
  toolsByLibrary.set(library, tools)
  return tools
}

function skillBody({
  body: _body,
  folder: _folder,
  tools,
  missing,
  ...skill
}: Skill): z.infer<typeof skillShape> {
  return {
    ...skill,
    files: [...skill.files],
    ...(missing && { missing: [...missing] }),
    tools: tools.map(({ card, ...tool }) => ({ ...tool, ...(card && { cardType: card.cardType }) })),
  }
}
