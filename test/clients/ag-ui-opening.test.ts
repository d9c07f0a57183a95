import { describe, expect, it } from 'vitest'

import { weather } from '../support/story-tools.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, run, textOf } from './ag-ui-agent.ts'

const scripted = scriptedModel()
const asking = { ...weather, needsApproval: () => true }
const server = useServer({ models: scripted.models, tools: [asking] })

type Page = { readonly messages: readonly { readonly role: string }[] }

let threads = 0
describe.each(generations)('an agent that begins, with the AG-UI client $version', ({ open }) => {
  const nextAgent = (thread = `opening-${++threads}`) => open(`${server.url}/ag-ui/jobs`, thread)
  const rolesOf = (index: number) =>
    scripted.prompts[index]?.flatMap(({ role }) => (role === 'system' ? [] : [role]))

  it('answers an empty conversation, whose first message follows its answer', async () => {
    scripted.play([step(says('Welcome.')), step(says('Fine.'))])
    const agent = nextAgent()
    await run(agent, undefined)
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([['assistant', 'Welcome.']])
    await run(agent, 'How are you?')

    expect(agent.messages.map(({ content }) => content)).toEqual(['Welcome.', 'How are you?', 'Fine.'])
    expect(JSON.stringify(scripted.prompts[0])).toContain('has said nothing yet')
    expect(JSON.stringify(scripted.prompts[1])).toContain('has said nothing yet')
    expect(rolesOf(0)).toEqual(['user'])
    expect(rolesOf(1)).toEqual(['user', 'assistant', 'user'])
  })

  it('begins once, and shows the conversation to the pages that come after', async () => {
    scripted.play([step(says('Welcome.'))])
    const first = nextAgent()
    await run(first, undefined, { runId: `${first.threadId}-1` })
    first.messages = []
    await run(first, undefined, { runId: `${first.threadId}-1` })
    const second = nextAgent(first.threadId)
    await run(second, undefined)

    expect([textOf(first), textOf(second)]).toEqual(['Welcome.', 'Welcome.'])
    expect(scripted.prompts).toHaveLength(1)
  })

  it('has no message of the user’s in the history', async () => {
    scripted.play([step(says('Welcome.'))])
    const agent = nextAgent()
    await run(agent, undefined)
    const { messages } = (await server
      .fetch(new Request(`${server.url}/v1/threads/${agent.threadId}/messages?agent=jobs`))
      .then((reply) => reply.json())) as Page

    expect(messages.map(({ role }) => role)).toEqual(['assistant'])
  })

  it('may ask at once', async () => {
    scripted.play([step(calls('c1', 'weather', { city: 'Oslo' })), step(says('Rain.'))])
    const agent = nextAgent()
    await run(agent, undefined)
    const [question] = agent.pendingInterrupts
    await run(agent, undefined, {
      resume: [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }],
    })

    expect(textOf(agent)).toContain('Rain.')
  })
})
