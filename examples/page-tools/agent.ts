import {
  HttpAgent,
  runHttpRequest,
  transformHttpEventStream,
  type RunAgentInput,
  type RunAgentParameters,
  type Tool,
} from '@ag-ui/client'

/**
 * A tool that runs in the page: its definition for the model, and its code, which returns the text for the
 * model.
 */
export type PageTool = Tool & {
  readonly run: (input: Record<string, unknown>) => string | Promise<string>
}

const API = '/copilotkit/agent/assistant'

/** Any AG-UI client can call `/ag-ui/assistant`. This address also supports reconnecting and stopping. */
class Connected extends HttpAgent {
  protected override connect(input: RunAgentInput) {
    return transformHttpEventStream(
      runHttpRequest(() => fetch(`${API}/connect`, { ...this.requestInit(input), signal: null })),
    )
  }
}

/** A conversation with the assistant, which may call the page's tools. It does one thing at a time. */
export type Conversation = {
  readonly agent: HttpAgent
  /** Whether a run is in progress, and why the last one failed. */
  readonly now: () => { readonly busy: boolean; readonly failed?: string }
  /** Calls `listener` at each change. Returns a function that unsubscribes it. */
  readonly watch: (listener: () => void) => () => void
  /** How many changes there were. */
  readonly changes: () => number
  readonly say: (text: string) => void
  /** Answers all open approvals with yes or no. */
  readonly decide: (approved: boolean) => void
  /** After a reload: shows the history, follows a running answer, and runs its pending tools. */
  readonly comeBack: () => void
  /** Stops the run itself, for all its readers; the stream then ends. `abortRun()` would only disconnect. */
  readonly stop: () => void
  readonly share: (state: unknown) => void
}

export type Page = {
  readonly threadId: string
  readonly tools: readonly PageTool[]
  /** The current context of the page, for the model. */
  readonly context: () => RunAgentInput['context']
  readonly state: unknown
}

export function conversation({ threadId, tools, context, state }: Page): Conversation {
  const agent = new Connected({ url: `${API}/run`, threadId, initialState: state })
  const toolList = tools.map(({ name, description, parameters, metadata }) => ({
    name,
    description,
    parameters,
    ...(metadata && { metadata }),
  }))
  const news = changing()
  let now: ReturnType<Conversation['now']> = { busy: false }
  agent.subscribe({
    onMessagesChanged: news.tell,
    onStateChanged: news.tell,
    onRunErrorEvent({ event: { code, message } }) {
      if (code !== 'abort') now = { ...now, failed: message }
    },
  })
  const during = async (work: () => Promise<void>): Promise<void> => {
    now = { busy: true }
    news.tell()
    await work().catch((error: unknown) => {
      now = { ...now, failed: wordsOf(error) }
    })
    now = { ...now, busy: false }
    news.tell()
  }

  /** Runs the agent, and again with the results of the page's tools, until it has no more of them to ask for. */
  const goOn = async (how: RunAgentParameters = {}): Promise<void> => {
    await agent.runAgent({ tools: toolList, context: context(), ...how })
    if (await doCalls(agent, tools)) await goOn()
  }
  return {
    agent,
    now: () => now,
    watch: news.watch,
    changes: news.count,
    say(text) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
      // A message in place of an approval means no.
      void during(() => goOn(answering(agent, undefined)))
    },
    decide: (approved) => void during(() => goOn(answering(agent, approved))),
    comeBack: () =>
      void during(async () => {
        await agent.connectAgent({ tools: toolList, context: context() })
        if (await doCalls(agent, tools)) await goOn()
      }),
    stop: () => void fetch(`${API}/stop/${encodeURIComponent(threadId)}`, { method: 'POST' }),
    share: (next) => agent.setState(next),
  }
}

function changing() {
  const watchers = new Set<() => void>()
  let count = 0
  return {
    count: () => count,
    tell(): void {
      count += 1
      for (const watch of watchers) watch()
    },
    watch(tell: () => void): () => void {
      watchers.add(tell)
      return () => void watchers.delete(tell)
    },
  }
}

/** Runs the pending tools. Returns whether the agent can continue: not while an approval is open. */
async function doCalls(agent: HttpAgent, tools: readonly PageTool[]): Promise<boolean> {
  const calls = callsLeft(agent, tools)
  for (const { id, tool, input } of calls) {
    const content = await outcome(tool, input)
    agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId: id, content })
  }
  return calls.length > 0 && agent.pendingInterrupts.length === 0
}

function answering({ pendingInterrupts }: HttpAgent, approved: boolean | undefined): RunAgentParameters {
  if (pendingInterrupts.length === 0) return {}
  return {
    resume: pendingInterrupts.map(({ id: interruptId }) =>
      approved === undefined
        ? { interruptId, status: 'cancelled' }
        : { interruptId, status: 'resolved', payload: { approved } },
    ),
  }
}

/** Calls of the page's tools that have no result. */
function callsLeft({ messages }: HttpAgent, tools: readonly PageTool[]) {
  const resultIds = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : [])))
  return messages
    .flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    .flatMap(({ id, function: { name, arguments: input } }) => {
      const tool = tools.find((each) => each.name === name)
      return tool && !resultIds.has(id) ? [{ id, tool, input }] : []
    })
}

async function outcome(tool: PageTool, input: string): Promise<string> {
  try {
    return await tool.run(JSON.parse(input) as Record<string, unknown>)
  } catch (error) {
    return `Error: ${wordsOf(error)}`
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
