import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { validateBody } from '@dragoman/agent-kit/json-body'
import { titleOf } from './active-skills.ts'
import type { Skill, Skills } from './skill.ts'

const categories = ['core', 'default', 'professional'] as const

const listQuery = z.object({ category: z.enum(categories).optional(), subscribed: z.string().optional() })

const skillShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: z.string(),
    color: z.string(),
    category: z.enum(categories),
    pricing: z.object({ type: z.literal('free') }),
    features: z.array(z.object({ name: z.string() })),
    showcase: z.object({ tagline: z.string(), highlights: z.array(z.string()) }),
    triggers: z.array(z.string()),
  })
  .meta({ id: 'VibeLifeSkill' })

const category = z.object({ name: z.string(), description: z.string(), count: z.int() })

const list: Operation = {
  group: 'VibeLife',
  summary: 'List skills as VibeLife’s pages do',
  description: 'Every skill is free. `GET /life/skills` has their files, tools and notes.',
  query: listQuery,
  responses: {
    200: {
      description: 'All of them, or those of a category.',
      json: z.object({
        skills: z.array(skillShape),
        categories: z.object({ core: category, default: category, professional: category }),
        total: z.int(),
      }),
    },
  },
}

const show: Operation = {
  group: 'VibeLife',
  summary: 'Show a skill as VibeLife’s pages do',
  params: z.object({ id: z.string().meta({ examples: ['bazi'] }) }),
  responses: { 200: { description: 'The skill.', json: skillShape } },
  errors: ['not-found'],
}

/** `GET /api/v1/skills`, as VibeLife’s pages read it. */
export function vibeLifeSkillRoutes(skillStore: Skills): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/', describeRoute(list), async (c) => {
      const { category: wanted } = validateBody(listQuery, c.req.query())
      const all = (await skillStore.library()).skills.map(toSkill)
      const skills = all.filter((skill) => wanted === undefined || skill.category === wanted)
      const count = (name: string): number => all.filter((skill) => skill.category === name).length
      return c.json({
        skills,
        categories: {
          core: { name: '核心能力', description: '每次对话都在', count: count('core') },
          default: { name: '基础功能', description: '人人可用', count: count('default') },
          professional: { name: '专业技能', description: '按需启用', count: count('professional') },
        },
        total: skills.length,
      })
    })
    .get('/:id', describeRoute(show), async (c) => {
      const skill = (await skillStore.library()).skills.find(({ name }) => name === c.req.param('id'))
      if (!skill) throw new ServiceError('not-found', 'There is no skill of that name.')
      return c.json(toSkill(skill))
    })
}

function toSkill(skill: Skill): z.infer<typeof skillShape> {
  const { name: id, description, core, tools } = skill
  return {
    id,
    name: titleOf(skill, 'zh'),
    description,
    icon: '✨',
    color: '#8B5CF6',
    category: core ? 'core' : 'professional',
    pricing: { type: 'free' },
    features: tools.map(({ name }) => ({ name })),
    showcase: { tagline: description, highlights: [] },
    triggers: [],
  }
}
