import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { generations, run, typesOf } from './ag-ui-agent.ts'

const scripted = scriptedModel()
const server = useServer({ models: scripted.models })

let threads = 0
describe.each(generations)('the AG-UI client $version of an app', ({ open }) => {
  const nextThread = () => `own-ids-${++threads}`
  const textsOf = ({ messages }: ReturnType<typeof open>) => messages.map(({ content }) => content)
  const openAgent = (thread: string) => open(`${server.url}/ag-ui/jobs`, thread)

  it('that names answers itself has its new question after them', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const agent = openAgent(nextThread())
    await run(agent, 'First')
    agent.messages = agent.messages.map((message, at) => ({ ...message, id: `row-${at}` }))
    await run(agent, 'Second')

    expect(textsOf(agent)).toEqual(['First', 'One.', 'Second', 'Two.'])
  })

  it('that begins with an empty page has its new question after the conversation', async () => {
    scripted.play([step(says('One.')), step(says('Two.')), step(says('Three.'))])
    const thread = nextThread()
    await run(openAgent(thread), 'First')
    const agent = openAgent(thread)
    await run(agent, 'Second')
    expect(textsOf(agent)).toEqual(['First', 'One.', 'Second', 'Two.'])
    await run(agent, 'Third')

    expect(textsOf(agent)).toEqual(['First', 'One.', 'Second', 'Two.', 'Third', 'Three.'])
    expect(scripted.prompts).toHaveLength(3)
  })

  it('keeps the ids of its own questions where the page has the whole conversation', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const agent = openAgent(nextThread())
    await run(agent, 'First')
    await run(agent, 'Second')
    const ids = agent.messages.map(({ id }) => id)

    expect(ids.filter((id) => !id.startsWith('msg_'))).toHaveLength(2)
  })

  it('that sends nothing new gets what the conversation has', async () => {
    scripted.play([step(says('One.'))])
    const thread = nextThread()
    const first = openAgent(thread)
    await run(first, 'First')
    const agent = openAgent(thread)
    const events = await run(agent, undefined)
    await run(first, undefined)

    expect(textsOf(agent)).toEqual(['First', 'One.'])
    expect(textsOf(first)).toEqual(['First', 'One.'])
    expect(typesOf(events)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT', 'RUN_FINISHED'])
    expect(scripted.prompts).toHaveLength(1)
  })
})
