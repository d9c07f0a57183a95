import type { Command } from 'commander'

/** A command of the command line. Its module is loaded when it runs, or when its help is asked for. */
type CommandEntry = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
  /** The subcommand that runs where none is named. */
  readonly fallback?: string
}

type CommandGroup = { readonly heading: string; readonly entries: readonly CommandEntry[] }

const server: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'start the server; the default',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  {
    name: 'token',
    summary: 'create, list and revoke tokens of users',
    load: async () => (await import('./token.ts')).tokenCommand(),
  },
  {
    name: 'session',
    summary: 'list and end the sessions of browsers',
    load: async () => (await import('./session.ts')).sessionCommand(),
    fallback: 'list',
  },
  {
    name: 'backup',
    summary: 'copy the database, also while the server runs',
    load: async () => (await import('./backup.ts')).backupCommand(),
  },
  {
    name: 'restore',
    summary: 'put a backup into a home',
    load: async () => (await import('./restore.ts')).restoreCommand(),
  },
  {
    name: 'migrate',
    summary: 'move the database of a home into PostgreSQL',
    load: async () => (await import('./migrate.ts')).migrateCommand(),
  },
  {
    name: 'reseal',
    summary: 'seal saved keys and sign-ins with a new secret',
    load: async () => (await import('./reseal.ts')).resealCommand(),
  },
  {
    name: 'explain',
    summary: 'tell what happened to a run, without its words',
    load: async () => (await import('./explain/explain.ts')).explainCommand(),
  },
  {
    name: 'audit',
    summary: 'list who looked at what with explain',
    load: async () => (await import('./explain/audit.ts')).auditCommand(),
  },
  {
    name: 'doctor',
    summary: 'check this machine, or a running server',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  {
    name: 'config',
    summary: 'show the settings of the server',
    load: async () => (await import('./config.ts')).configCommand(),
    fallback: 'print',
  },
]

const chat: readonly CommandEntry[] = [
  {
    name: 'chat',
    summary: 'chat with an agent',
    load: async () => (await import('./chat/chat.ts')).chatCommand(),
  },
  {
    name: 'threads',
    summary: 'list, show and change threads',
    load: async () => (await import('./remote/threads.ts')).threadsCommand(),
    fallback: 'list',
  },
  {
    name: 'runs',
    summary: 'list, show and stop runs',
    load: async () => (await import('./remote/runs.ts')).runsCommand(),
    fallback: 'list',
  },
  {
    name: 'logs',
    summary: 'print the log of a run',
    load: async () => (await import('./remote/logs.ts')).logsCommand(),
  },
  {
    name: 'questions',
    summary: 'list and answer what runs wait for',
    load: async () => (await import('./remote/questions.ts')).questionsCommand(),
    fallback: 'list',
  },
  {
    name: 'mcp',
    summary: 'sign in at MCP servers',
    load: async () => (await import('./remote/mcp.ts')).mcpCommand(),
    fallback: 'list',
  },
  {
    name: 'export',
    summary: 'write a thread as JSON or Markdown',
    load: async () => (await import('./remote/export.ts')).exportCommand(),
  },
  {
    name: 'open',
    summary: 'open the console in a browser',
    load: async () => (await import('./remote/open.ts')).openCommand(),
  },
]

const other: readonly CommandEntry[] = [
  {
    name: 'completion',
    summary: 'print completions for a shell',
    load: async () => (await import('./completion.ts')).completionCommand(),
  },
]

export const commandGroups: readonly CommandGroup[] = [
  { heading: 'Server:', entries: server },
  { heading: 'Chat, with a server here or elsewhere:', entries: chat },
  { heading: 'Other:', entries: other },
]
