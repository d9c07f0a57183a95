import { z } from 'zod'

import type { AgentServices } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { readSection } from 'dragoman/home-files'

/** A workflow of Dify's. Its key goes to its own address alone. */
export type Workflow = {
  readonly id: string
  readonly description: string
  readonly baseUrl: string
  readonly key: string
  /** A chat is asked with the user's words, a workflow with inputs alone. */
  readonly app: 'workflow' | 'chat'
}

const DIFY = 'https://api.dify.ai/v1'

const workflow = z.strictObject({
  key: z.string().min(1),
  description: z.string().default(''),
  app: z.enum(['workflow', 'chat']).default('workflow'),
})
const section = z.strictObject({
  dify: z
    .strictObject({
      baseUrl: z.string().refine(isAddress, 'must be an address like https://api.dify.ai/v1').default(DIFY),
      workflows: z.record(z.string().min(1), workflow).default({}),
    })
    .optional(),
})

/**
 * Reads the workflows of config.yaml and of the variables `DIFY_<NAME>_KEY`, whose workflow has that name in lower case
 * with dashes. Keys of variables go to `DIFY_BASE_URL`, keys of the file to the file's address.
 * @throws ServiceError `invalid-request`
 */
export function readWorkflows(value: Json, env: AgentServices['env']): readonly Workflow[] {
  const { dify } = readSection('workflows', value, section) ?? {}
  const inFile = Object.entries(dify?.workflows ?? {}).map(([id, { key, description, app }]) => {
    return { id, key, description, app, baseUrl: plain(dify?.baseUrl ?? DIFY) }
  })
  const { DIFY_BASE_URL: base = DIFY } = env
  const inVariables = Object.entries(env).flatMap(([name, key]): Workflow[] => {
    const [, part] = /^DIFY_(\w+)_KEY$/.exec(name) ?? []
    if (part === undefined || key === undefined || key === '') return []
    const id = part.toLowerCase().replaceAll('_', '-')
    return [{ id, description: '', baseUrl: plain(base), key, app: 'workflow' }]
  })
  if (inVariables.length > 0 && !isAddress(base))
    throw new ServiceError('invalid-request', 'DIFY_BASE_URL must be an address like https://api.dify.ai/v1.')
  // A variable wins over the file.
  return [...new Map([...inFile, ...inVariables].map((each) => [each.id, each])).values()]
}

function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

function plain(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '')
}
