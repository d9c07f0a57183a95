import { describeProtocol } from '../protocol.contract.ts'
import { agUi, useAi } from './index.ts'
import { newerJudge, olderJudge, useAiJudge } from './judge.fixture.ts'

describeProtocol(agUi, newerJudge, { view: { version: '1.0', threadId: 'chat', runId: 'client-1' } })
describeProtocol(agUi, olderJudge, { name: 'ag-ui-0.x' })
describeProtocol(useAi, useAiJudge)
describeProtocol(useAi, useAiJudge, { name: 'use-ai-watching', view: { watches: true } })
