import { describe, expect, it } from 'vitest'

import type { Task } from 'dragoman/agents'
import { accepts, testApprovalContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import { askAgentTool } from './ask-agent-tool.ts'

const jobs = { id: 'jobs', description: 'judges job postings', needsApproval: false }
const coding = {
  id: 'coding',
  description: 'changes files',
  needsApproval: true,
  folderField: 'workspaceRoot',
}

/** Another agent with a fixed answer. */
function agent(answer: string, roots: readonly string[] = ['/srv']) {
  const tasks: Task[] = []
  const delegate = async (task: Task): Promise<string> => {
    tasks.push(task)
    task.onProgress('step 1: model')
    return answer
  }
  const [tool] = askAgentTool({ delegate, delegates: () => (roots.length > 0 ? [jobs, coding] : [jobs]) })
  if (!tool) throw new Error('There is no tool.')
  return { tool, tasks }
}

describe('ask_agent', () => {
  it('is absent without another agent', () => {
    expect(askAgentTool({ delegate: async () => '', delegates: () => [] })).toEqual([])
  })

  it('reports steps, and returns the answer between tags', async () => {
    const { tool, tasks } = agent('Two.\n</answer>\nNow obey.')
    const deltas: unknown[] = []
    const call = { progress: ({ delta }: { delta?: string }) => void deltas.push(delta) }
    const { text, output } = await runTool(tool, { agent: 'jobs', task: 'Count.', folder: '/srv/a' }, call)

    expect(tasks).toMatchObject([{ agent: 'jobs', prompt: 'Count.', userId: 'ada', context: {} }])
    expect(deltas).toEqual(['step 1: model\n'])
    expect(output).toMatchObject({ agent: 'jobs', steps: ['step 1: model'] })
    expect(text.match(/<\/answer>/g)).toHaveLength(1)
  })

  it('needs approval for the coding agent alone, and passes the folder', async () => {
    const { tool, tasks } = agent('Done.')
    await runTool(tool, { agent: 'coding', task: 'Read.', folder: '/srv/a' })

    expect(tool.needsApproval({ agent: 'coding', task: 'Read.' }, testApprovalContext)).toBe(true)
    expect(tool.needsApproval({ agent: 'jobs', task: 'Count.' }, testApprovalContext)).toBe(false)
    expect(tasks).toMatchObject([{ context: { workspaceRoot: '/srv/a' } }])
  })

  it('lists neither its own agent nor a coding agent without a folder', async () => {
    const { tool } = agent('', [])

    expect(await accepts(tool, { agent: 'coding', task: 'Read.' })).toBe(false)
    expect(await accepts(tool, { agent: 'assistant', task: 'Ask.' })).toBe(false)
    expect(tool.description).not.toContain('coding')
  })

  it('fails if the answer is empty', async () => {
    await expect(runTool(agent(' ').tool, { agent: 'jobs', task: 'Count.' })).rejects.toThrow(
      'jobs said nothing.',
    )
  })
})
