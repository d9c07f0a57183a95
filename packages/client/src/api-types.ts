/* oxlint-disable max-lines, dragoman/plain-text */
// Made from /openapi.json: `npx vitest run test/api-types.test.ts -u` writes it again.
import type { Json, Message } from 'dragoman/events'

export type Agent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Name and description in other languages. */
  readonly translations: {
    readonly [key: string]: {
      readonly name?: string
      readonly description?: string
    }
  }
  /** Whether it can do its work on this machine. */
  readonly ready: boolean
  /** What its owner should know of that. */
  readonly notes: readonly string[]
  readonly model: {
    /** The model that answers now, unless a thread or a run names another. */
    readonly name: string
    readonly reason: string
    /** Whether it is the demo model, which needs no key. */
    readonly demo: boolean
  }
  /** Messages that can be tried. */
  readonly prompts: readonly {
    readonly en: string
    readonly zh: string
  }[]
  /** Browser modules of the console. */
  readonly views: readonly {
    readonly kind: 'card' | 'welcome' | 'page' | 'panel'
    /** Its address. */
    readonly module: string
    /** Of a card: the tools whose calls it shows. */
    readonly tools?: readonly string[]
    /** Of a card: whether it also shows calls that wait, run or have failed. */
    readonly isLive?: true
    /** Of a page or panel: its name by language. */
    readonly title?: {
      readonly en: string
      readonly [key: string]: string
    }
  }[]
}

export type Finding = {
  readonly agent: string
  readonly level: 'ok' | 'note' | 'problem'
  readonly text: string
}

export type FoundMessage = {
  readonly thread: Thread
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  readonly at: string
  readonly snippet: {
    readonly text: string
    /** Where in the text it stands, from and to, in UTF-16 units. */
    readonly marks: readonly (readonly [number, number])[]
  }
}

export type Load = {
  /** Such as requests, readers, bytesRead. Bytes are counted in bytes. */
  readonly kind: string
  /** addresses: callers without a user. */
  readonly pool: 'users' | 'guests' | 'addresses'
  readonly used: number
  /** The most that all of the pool may hold; null: any number. */
  readonly limit: number | null
  /** Since the server started: what was refused, or ended for a new caller. */
  readonly refusals: number
}

export type McpServer = {
  readonly agent: string
  readonly name: string
  /** Its origin: the rest of its address may be a key. */
  readonly url: string
  /** Whether you have signed in. A server may not want that. */
  readonly signedIn: boolean
}

export type NativeRequest = {
  /** The user’s words. */
  readonly message?: string
  /** The conversation so far, the user’s words last, in place of message. */
  readonly messages?: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: string
  }[]
  /** Words and files, in place of message. */
  readonly parts?: readonly (
    | {
        readonly type: 'text'
        readonly text: string
      }
    | {
        readonly type: 'file'
        readonly url: string
        /** If the address does not say it. */
        readonly mediaType?: string | null
        readonly filename?: string | null
      }
  )[]
  /** The thread’s own, where it is named at all. */
  readonly agent?: string
  /** What the client says of its surroundings; the agent is told it along with the user’s words. */
  readonly context?: Json
  /** A message that this one stands in place of, as a branch. Without words: its answer once more. */
  readonly replaces?: string
  /** Tools that the client runs: the run waits for what they give. inputSchema is a JSON schema. */
  readonly tools?:
    | readonly {
        readonly description?: string | null
        readonly inputSchema?: Json
        /** As inputSchema: AI SDK 4 and OpenAI call it so. */
        readonly parameters?: Json
        /** The user is asked before each call. Also in metadata. */
        readonly confirmationRequired?: boolean | null
        readonly metadata?: {
          readonly [key: string]: Json
        } | null
        /** 1 to 64 letters of a to z, digits, _ or -. */
        readonly name: string
      }[]
    | {
        readonly [key: string]: {
          readonly description?: string | null
          readonly inputSchema?: Json
          /** As inputSchema: AI SDK 4 and OpenAI call it so. */
          readonly parameters?: Json
          /** The user is asked before each call. Also in metadata. */
          readonly confirmationRequired?: boolean | null
          readonly metadata?: {
            readonly [key: string]: Json
          } | null
        }
      }
  /** What happens where the conversation’s answer still runs. */
  readonly policy?: 'reject' | 'enqueue' | 'interrupt' | 'steer'
  /** The model that answers, in place of the thread’s and the agent’s. */
  readonly model?: string
  /** false: the whole answer at once, as JSON. */
  readonly stream?: boolean
  readonly options?: {
    /** Goes on with a conversation, by our id (conv_…) or the client’s name; a new name begins one. */
    readonly conversationId?: string
    /** false: the whole answer at once, as JSON. */
    readonly stream?: boolean
    /** What happens where the conversation’s answer still runs. */
    readonly policy?: 'reject' | 'enqueue' | 'interrupt' | 'steer'
    /** native, in place of ?protocol= */
    readonly protocol?: string
  }
}

export type Node = {
  /** Host, process id and a random part. */
  readonly name: string
  /** Where its files are. */
  readonly place: string | null
  readonly reportedAt: string
  readonly isAlive: boolean
  /** Runs that it works on. */
  readonly runs: number
}

export type Provider = {
  readonly name: string
  /** Whether its models can be called. */
  readonly ready: boolean
  /** Why, or why not. */
  readonly reason: string
  /** Whether something is saved for it. A saved key is never shown. */
  readonly saved: boolean
  /** The model that is chosen for it. null: its usual one. */
  readonly model: string | null
  /** false: a program on this machine, such as Ollama. */
  readonly needsKey: boolean
  /** Whether the environment of the server has its key, which decides. */
  readonly fromEnvironment: boolean
  /** Its address. null: its usual one. */
  readonly baseUrl: string | null
  /** Whether the owner has added it: any address with OpenAI’s chat completions. */
  readonly custom: boolean
  /** What it offers for chats, if it says so. */
  readonly models?: readonly string[]
  /** Why it says nothing. */
  readonly problem?: string
}

export type Question = {
  readonly callId: string
  readonly runId: string
  /** null: its run stands in no thread. */
  readonly threadId: string | null
  readonly agent: string
  readonly tool: string
  readonly input: Json
  /** Whether a yes or no is wanted, what the schema describes, or an output that a client makes. */
  readonly kind: 'approval' | 'form' | 'output'
  /** The question, in words. */
  readonly message?: string
  /** The JSON schema of the form’s output, or of the input that an approval may change. */
  readonly schema?: Json
  /** What the call would do, as its tool says: such as the unified diff of a file. */
  readonly preview?: {
    readonly title?: string
    readonly format: 'text' | 'diff'
    readonly text: string
    readonly isCut?: true
    readonly problem?: string
  }
  readonly askedAt: string
  readonly expiresAt: string | null
}

export type Run = {
  readonly id: string
  readonly threadId: string
  readonly agent: string
  /** The message that the run writes. */
  readonly messageId: string
  readonly status: 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
  /** How many entries its log has. */
  readonly lastSeq: number
  readonly createdAt: string
  /** Whether its stream is no longer kept. What it said is in its thread. */
  readonly pruned: boolean
}

export type Session = {
  readonly id: string
  /** The name of the token that it began with. */
  readonly token: string
  /** What the browser calls itself. */
  readonly browser: string | null
  readonly createdAt: string
  /** To the minute. */
  readonly lastUsedAt: string
  /** Unless it is used before. */
  readonly expiresAt: string
  /** Whether this request is of this session. */
  readonly isCurrent: boolean
}

export type Thread = {
  readonly id: string
  readonly agent: string
  /** The client’s own name for it. */
  readonly name: string | null
  readonly title: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly archived: boolean
  /** The last message of its chosen path, once anything has been said. */
  readonly chosen: string | null
  /** The model that its runs use, in place of the agent’s. */
  readonly model: string | null
  readonly metadata: {
    readonly [key: string]: Json
  }
}

export type Token = {
  readonly id: string
  readonly name: string
  readonly user: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

export type User = {
  readonly user: string
  /** How many tokens the user has. */
  readonly tokens: number
  /** In the last 30 days, like the tokens of models. */
  readonly runs: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly lastRunAt: string | null
}

/** What each operation takes and returns. The body of one without `response` is a stream or a file. */
export type Operations = {
  'POST /v1/threads': {
    readonly body: {
      /** The first one where none is named. */
      readonly agent?: string
      /** A name that is known gives that thread. */
      readonly name?: string
      readonly title?: string
    }
    readonly response: Thread
  }
  'GET /v1/threads': {
    readonly query?: {
      /** From 1 to 200; one out of this range counts as its nearer end. */
      readonly limit?: number | undefined
      /** The id of the last one seen: what follows it. */
      readonly before?: string | undefined
      readonly agent?: string | undefined
      /** true: those that are archived, which are in no other list. */
      readonly archived?: boolean | undefined
    }
    readonly response: {
      readonly threads: readonly Thread[]
    }
  }
  'GET /v1/threads/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly response: {
      readonly id: string
      readonly agent: string
      /** The client’s own name for it. */
      readonly name: string | null
      readonly title: string | null
      readonly createdAt: string
      readonly updatedAt: string
      readonly archived: boolean
      /** The last message of its chosen path, once anything has been said. */
      readonly chosen: string | null
      /** The model that its runs use, in place of the agent’s. */
      readonly model: string | null
      readonly metadata: {
        readonly [key: string]: Json
      }
      readonly live: Run | null
    }
  }
  'DELETE /v1/threads/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly response: undefined
  }
  'PATCH /v1/threads/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly body: {
      readonly title?: string
      readonly archived?: boolean
      /** A message, by its id or its run’s: the path through it becomes the thread’s, and goes on from there where it went last. */
      readonly chosen?: string
      /** Of its next runs. null: the agent’s own. */
      readonly model?: string | null
    }
    readonly response: Thread
  }
  'PUT /v1/threads/{id}/messages/{message}/feedback': {
    readonly path: {
      readonly id: string
      readonly message: string
    }
    readonly body: {
      readonly feedback: 'up' | 'down' | null
    }
    readonly response: undefined
  }
  'POST /v1/threads/{id}/fork': {
    readonly path: {
      readonly id: string
    }
    readonly body: {
      /** The last message that is copied; where none is named, the last of the chosen path. */
      readonly messageId?: string
      readonly title?: string
    }
    readonly response: Thread
  }
  'GET /v1/threads/{id}/messages': {
    readonly path: {
      readonly id: string
    }
    readonly query?: {
      /** From 1 to 500; one out of this range counts as its nearer end. */
      readonly limit?: number | undefined
      /** The id of the last one seen: what follows it. */
      readonly before?: string | undefined
    }
    readonly response: {
      readonly messages: readonly (Message & {
        /** The messages that stand in this place, itself among them, in the order in which they came. */
        readonly siblings: readonly string[]
        /** Which of them it is, from 1. */
        readonly place: number
      })[]
      /** Where there are more: ask with it. */
      readonly before?: string
    }
  }
  'POST /v1/threads/{id}/runs': {
    readonly path: {
      readonly id: string
    }
    readonly query?: {
      /** The dialect of the answer. */
      readonly protocol?: string | undefined
      /** Numbers the events also where the dialect does not. */
      readonly ids?: '1' | undefined
      /** false: without reasoning. */
      readonly showThinking?: boolean | undefined
      /** Which AI SDK reads the ui-message-stream, if it is not version 6 or later. */
      readonly profile?: 'v5' | 'v6' | 'v7' | undefined
      /** true: messages that join an answer are steering-message parts, as of AI SDK 7.0.163. */
      readonly steeringMessages?: boolean | undefined
      /** stop: the run ends when its caller disconnects and no other reader follows it. detach: it goes on. Without it, the dialect decides. */
      readonly disconnect?: 'detach' | 'stop' | undefined
    }
    readonly body: NativeRequest
  }
  'POST /v1/threads/{id}/stop': {
    readonly path: {
      readonly id: string
    }
    readonly response: {
      readonly stopped: boolean
      readonly runId?: string
    }
  }
  'GET /v1/threads/{id}/export': {
    readonly path: {
      readonly id: string
    }
    readonly query?: {
      readonly format?: 'json' | 'markdown' | undefined
    }
  }
  'GET /v1/search': {
    readonly query: {
      /** From 1 to 100; one out of this range counts as its nearer end. */
      readonly limit?: number | undefined
      /** The id of the last one seen: what follows it. */
      readonly before?: string | undefined
      /** Words to be found, in any language; those that stand together are found together. */
      readonly q: string
    }
    readonly response: {
      readonly threads: readonly Thread[]
      readonly messages: readonly FoundMessage[]
      /** Where there may be more: ask with it. */
      readonly before?: string
    }
  }
  'GET /v1/questions': {
    readonly query?: {
      /** From 1 to 200; one out of this range counts as its nearer end. */
      readonly limit?: number | undefined
      /** That of the page before: what follows it. */
      readonly before?: string | undefined
      /** Only those of a thread, by its id or its client’s name. */
      readonly thread?: string | undefined
      /** Only those of a run, by its id. */
      readonly run?: string | undefined
    }
    readonly response: {
      readonly questions: readonly Question[]
      /** Where there are more: ask with it. */
      readonly before?: string
    }
  }
  'GET /v1/runs': {
    readonly query?: {
      /** From 1 to 200; one out of this range counts as its nearer end. */
      readonly limit?: number | undefined
      /** That of the page before: what follows it. */
      readonly before?: string | undefined
      /** Only those of a thread, by its id or its client’s name. */
      readonly thread?: string | undefined
      /** true: only those that have not ended. */
      readonly live?: boolean | undefined
    }
    readonly response: {
      readonly runs: readonly Run[]
      /** Where there are more: ask with it. */
      readonly before?: string
    }
  }
  'GET /v1/runs/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly response: {
      readonly run: Run
      readonly message: Message
    }
  }
  'GET /v1/runs/{id}/events': {
    readonly path: {
      readonly id: string
    }
    readonly query?: {
      /** The dialect of the answer. */
      readonly protocol?: string | undefined
      /** Numbers the events also where the dialect does not. */
      readonly ids?: '1' | undefined
      /** false: without reasoning. */
      readonly showThinking?: boolean | undefined
      /** Which AI SDK reads the ui-message-stream, if it is not version 6 or later. */
      readonly profile?: 'v5' | 'v6' | 'v7' | undefined
      /** true: messages that join an answer are steering-message parts, as of AI SDK 7.0.163. */
      readonly steeringMessages?: boolean | undefined
      /** The id of the last event that was seen: what follows it is sent. */
      readonly after?: string | undefined
    }
  }
  'POST /v1/runs/{id}/answers': {
    readonly path: {
      readonly id: string
    }
    readonly body: {
      readonly callId: string
      readonly answer:
        | {
            readonly kind: 'approval'
            readonly approved: boolean
            /** What the call runs with in place of its input. */
            readonly input?: Json
            readonly reason?: string
          }
        | {
            readonly kind: 'output'
            readonly output?: Json
          }
        | {
            readonly kind: 'form'
            /** What the question’s schema describes. */
            readonly output: Json
          }
        | {
            readonly kind: 'error'
            readonly message: string
          }
    }
    readonly response: {
      readonly run: Run
    }
  }
  'POST /v1/runs/{id}/stop': {
    readonly path: {
      readonly id: string
    }
    readonly response: {
      readonly stopped: boolean
      readonly runId: string
    }
  }
  'GET /v1/events': {}
  'POST /v1/files': {
    readonly form: FormData
    readonly response: {
      readonly type: 'file'
      readonly id: string
      readonly url: string
      /** By its first bytes if they say one, else as it was sent. */
      readonly mediaType: string
      readonly filename?: string
      readonly bytes: number
    }
  }
  'GET /v1/files/{id}': {
    readonly path: {
      readonly id: string
    }
  }
  'GET /v1/agents': {
    readonly response: {
      readonly agents: readonly Agent[]
    }
  }
  'GET /v1/models': {
    readonly query?: {
      /** Those that can be chosen for this agent. */
      readonly agent?: string | undefined
    }
    readonly response: {
      readonly models: readonly {
        readonly name: string
        readonly provider: string
      }[]
    }
  }
  'GET /v1/protocols': {
    readonly response: {
      readonly protocols: readonly {
        readonly name: string
        /** Server-sent events, or lines without cursors. */
        readonly framing: 'events' | 'lines'
      }[]
    }
  }
  'GET /v1/usage': {
    readonly query?: {
      /** The first day, in the user’s zone. 29 days before the last one where it is not said. */
      readonly from?: string | undefined
      /** The last day. Today where it is not said. */
      readonly to?: string | undefined
      readonly by?: 'day' | 'month' | 'agent' | 'model' | 'skill' | 'tool' | undefined
    }
    readonly response: {
      readonly from: string
      readonly to: string
      /** IANA. In it days begin. */
      readonly timeZone: string
      readonly by: 'day' | 'month' | 'agent' | 'model' | 'skill' | 'tool'
      readonly total: {
        readonly runs: number
        readonly inputTokens: number
        readonly outputTokens: number
        readonly toolCalls: number
        readonly skillUses: number
      }
      readonly groups: readonly {
        /** The day, the month, the agent, the model, the skill or the tool. */
        readonly name: string
        readonly runs: number
        readonly inputTokens: number
        readonly outputTokens: number
        /** Of a model, how often it was asked; of a skill or tool, how often it was used. */
        readonly times?: number
      }[]
    }
  }
  'GET /v1/quota': {
    readonly response: {
      readonly tier: string
      readonly limits: readonly {
        /** Of which agent, where it is not about all of them. */
        readonly agent?: string
        readonly period: 'hourly' | 'daily' | 'weekly' | 'monthly'
        readonly unit: 'runs' | 'tokens'
        /** `address`: all guests of one address share it. */
        readonly scope: 'user' | 'address'
        readonly limit: number
        readonly used: number
        readonly remaining: number
        readonly resetAt: string
      }[]
      /** What you store: conversations, and what agents keep of you. */
      readonly storage: {
        /** Bytes. */
        readonly used: number
        /** Bytes; null where there is no limit. */
        readonly limit: number | null
      }
    }
  }
  'GET /v1/tokens': {
    readonly response: {
      readonly tokens: readonly Token[]
    }
  }
  'POST /v1/tokens': {
    readonly body: {
      readonly name: string
      /** The user of its requests. Without it, the owner of the server. */
      readonly user?: string
    }
    readonly response: {
      readonly token: Token
      readonly secret: string
    }
  }
  'DELETE /v1/tokens/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly response: undefined
  }
  'GET /v1/users': {
    readonly response: {
      readonly users: readonly User[]
    }
  }
  'GET /v1/nodes': {
    readonly response: {
      readonly nodes: readonly Node[]
    }
  }
  'GET /v1/load': {
    readonly response: {
      readonly load: readonly Load[]
    }
  }
  'GET /v1/findings': {
    readonly response: {
      readonly version: string
      /** The version of Node.js. */
      readonly node: string
      readonly startedAt: string
      readonly findings: readonly Finding[]
    }
  }
  'GET /v1/sessions': {
    readonly response: {
      readonly sessions: readonly Session[]
    }
  }
  'DELETE /v1/sessions': {
    readonly response: {
      readonly ended: number
    }
  }
  'DELETE /v1/sessions/{id}': {
    readonly path: {
      readonly id: string
    }
    readonly response: undefined
  }
  'GET /v1/mcp/client.json': {
    readonly response: {
      readonly client_id: string
    }
  }
  'GET /v1/mcp/servers': {
    readonly response: {
      readonly servers: readonly McpServer[]
    }
  }
  'POST /v1/mcp/servers/{agent}/{name}/sign-in': {
    readonly path: {
      readonly agent: string
      readonly name: string
    }
    readonly body: {
      /** Where the authorization server sends the browser back to. */
      readonly redirectUrl: string
    }
    readonly response: {
      readonly url: string
    }
  }
  'DELETE /v1/mcp/servers/{agent}/{name}/sign-in': {
    readonly path: {
      readonly agent: string
      readonly name: string
    }
    readonly response: undefined
  }
  'POST /v1/mcp/sign-ins': {
    readonly body: {
      /** The whole address that the browser came back to. */
      readonly url: string
    }
    readonly response: {
      readonly agent: string
      readonly name: string
    }
  }
  'GET /v1/providers': {
    readonly response: {
      /** Whether you are the owner of the server, who may save keys. */
      readonly mayChange: boolean
      readonly providers: readonly Provider[]
    }
  }
  'PUT /v1/providers/{name}': {
    readonly path: {
      readonly name: string
    }
    readonly body: {
      readonly apiKey?: string
      readonly baseUrl?: string
      readonly model?: string
    }
    readonly response: undefined
  }
  'DELETE /v1/providers/{name}': {
    readonly path: {
      readonly name: string
    }
    readonly response: undefined
  }
}
