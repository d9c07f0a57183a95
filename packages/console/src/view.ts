/** JSON. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * What the console gives to a card of an agent, for one call of a tool.
 *
 * @example
 * export default function DiceCard({ output, language }: ToolCardProps) {
 *   return <p>{language === 'zh' ? '掷出了' : 'You rolled'} {JSON.stringify(output)}</p>
 * }
 */
export type ToolCardProps = {
  readonly tool: string
  readonly input: Json
  /** What the tool has returned: the card is shown once it has. Null in a live card until then. */
  readonly output: Json
  /** Where the call is. A card that is not live sees calls that have returned. */
  readonly state: 'waiting' | 'running' | 'returned' | 'failed'
  /** What the tool last reported: its newest output, or the end of the texts that it wrote. */
  readonly progress: Json | undefined
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
  readonly kit: ConsoleKit
  /**
   * Sends a message of the user, with a context for the agent. Undefined while no message can be sent, and in earlier
   * messages.
   */
  readonly send: ((text: string, context?: { readonly [key: string]: Json }) => void) | undefined
}

/**
 * What the console gives to the welcome of an agent, before a conversation begins.
 *
 * @example
 * export default function Welcome({ language }: WelcomeProps) {
 *   return <p>{language === 'zh' ? '你好' : 'Hello'}</p>
 * }
 */
export type WelcomeProps = {
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
  readonly kit: ConsoleKit
  /** Sets a context for the agent, which goes with the first message. */
  readonly setContext: (context: { readonly [key: string]: Json } | undefined) => void
}

/**
 * What the console gives to the page of an agent.
 *
 * @example
 * export default function Rolls({ kit }: PageProps) {
 *   const { data: rolls = [] } = kit.useJson<number[]>('/dice/rolls')
 *   return <p className="page-body">{rolls.join(', ')}</p>
 * }
 */
export type PageProps = {
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
  readonly kit: ConsoleKit
  /** What follows the page's own address, such as `postings/7`. At first it is empty. */
  readonly path: string
  /** Goes to a path of the page. */
  readonly open: (path: string) => void
  /** The address of a path of the page, for links. */
  readonly hrefOf: (path: string) => string
  /** Begins a conversation with the agent and opens it. @throws Error if the server cannot be reached */
  readonly ask: (text: string, context?: { readonly [key: string]: Json }) => Promise<void>
}

/**
 * What the console gives to the panel of an agent, next to a conversation.
 *
 * @example
 * export default function Panel({ threadId, isBusy }: PanelProps) {
 *   return <p>{isBusy ? 'Rolling…' : threadId}</p>
 * }
 */
export type PanelProps = {
  /** The language of the page: `en`, `zh` or another one. */
  readonly language: string
  readonly kit: ConsoleKit
  readonly threadId: string
  /** Whether an answer is being written. */
  readonly isBusy: boolean
}

export type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON, unless it is a form or a file. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type DialogProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** What React can show. */
  readonly children: unknown
}

/** A component of React, whose types this package does not need. */
export type ViewComponent<Props> = (props: Props) => {
  readonly type: string
  readonly props: unknown
  readonly key: string | null
}

/** Parts of the console for the views of agents. Requests go to the server of the page. */
export type ConsoleKit = {
  /** The address of a path of the server, for links and images: it may be reached below a path. */
  readonly url: (path: string) => string
  /**
   * Sends a request. @throws an Error with `status`, `code` and the `details` of the response, such as `field`, if the
   * server refuses the request or cannot be reached
   */
  readonly send: (path: string, options?: RequestOptions) => Promise<Response>
  /** The same, and reads the JSON of the response. */
  readonly request: <T>(path: string, options?: RequestOptions) => Promise<T>
  /**
   * A hook that loads the JSON of a path, and again after `refresh`. `interval`: also every so many ms. Without a path
   * it loads nothing. While another path loads, `data` is still that of the last one.
   */
  readonly useJson: <T>(
    path: string | undefined,
    options?: { readonly interval?: number },
  ) => { readonly data: T | undefined; readonly error: Error | null; readonly isLoading: boolean }
  /**
   * Loads again every path that begins with `prefix`, also in other tabs. `/v1` also loads again what the console
   * itself shows, such as the threads.
   */
  readonly refresh: (prefix: string) => Promise<void>
  readonly Markdown: ViewComponent<{ readonly text: string }>
  readonly Dialog: ViewComponent<DialogProps>
}

type Catalogue = { readonly [key: string]: string }

/**
 * Returns a function that gives texts of a catalogue: those of `language`, or of `en` where they are missing. Values
 * replace `{name}`.
 *
 * @example
 * const t = createTranslator({ en: { rolls: 'Rolls: {count}' }, zh: { rolls: '次数：{count}' } }, 'zh')
 * t('rolls', { count: 3 }) // '次数：3'
 */
export function createTranslator<English extends Catalogue>(
  catalogues: { readonly en: English } & { readonly [language: string]: Catalogue },
  language: string,
): (key: keyof English & string, values?: Readonly<Record<string, string | number>>) => string {
  const { en: english } = catalogues
  const texts: Catalogue = catalogues[language] ?? english
  return (key, values = {}) =>
    (texts[key] ?? english[key] ?? key).replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      String(values[name] ?? ''),
    )
}
