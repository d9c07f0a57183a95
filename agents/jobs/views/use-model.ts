import { usePage } from './page-context.ts'

type Agents = {
  readonly agents: readonly { readonly id: string; readonly model: { readonly demo: boolean } }[]
}

/** Whether a real model answers for this agent. The demo model can neither judge nor tailor. */
export function useHasModel(): boolean {
  const { kit } = usePage()
  const { data } = kit.useJson<Agents>('/v1/agents')
  return data?.agents.find(({ id }) => id === 'jobs')?.model.demo === false
}
