import type { PageTool } from './agent.ts'

export type Todo = { readonly id: number; readonly title: string; readonly done: boolean }

/** The list exists only in the page. The server has no copy, and changes it only with the tools below. */
const STORAGE_KEY = 'todos'
const INITIAL_TODOS: readonly Todo[] = [
  { id: 1, title: 'Water the plants', done: false },
  { id: 2, title: 'Return the library book', done: true },
]

let todos = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? JSON.stringify(INITIAL_TODOS)) as readonly Todo[]
const watchers = new Set<() => void>()

export function currentTodos(): readonly Todo[] {
  return todos
}

export function watchTodos(watch: () => void): () => void {
  watchers.add(watch)
  return () => void watchers.delete(watch)
}

export function setDone(id: number, done: boolean): void {
  keep(todos.map((each) => (each.id === id ? { ...each, done } : each)))
}

function keep(next: readonly Todo[]): void {
  todos = next
  localStorage.setItem(STORAGE_KEY, JSON.stringify(todos))
  for (const watch of watchers) watch()
}

/** By its title, whatever the case. A tool that throws has failed, and the model reads why. */
function named(title: string): Todo {
  const found = todos.find((each) => each.title.toLowerCase() === title.trim().toLowerCase())
  if (found) return found
  throw new Error(`There is no "${title}". ${reading()}`)
}

/** The list as text for the model. */
function reading(): string {
  const items = todos.map(({ title, done }) => `"${title}"${done ? ' (done)' : ''}`)
  return `On the list: ${items.join(', ') || 'nothing'}.`
}

const title = {
  type: 'object',
  properties: { title: { type: 'string', description: 'What is to be done, in a few words.' } },
  required: ['title'],
  additionalProperties: false,
}
const nothing = { type: 'object', properties: {}, additionalProperties: false }

export const todoTools: readonly PageTool[] = [
  {
    name: 'addTodo',
    description: 'Adds an item to the to-do list of this page.',
    parameters: title,
    run({ title: wanted }) {
      keep([
        ...todos,
        { id: Math.max(0, ...todos.map(({ id }) => id)) + 1, title: String(wanted), done: false },
      ])
      return `Added. ${reading()}`
    },
  },
  {
    name: 'listTodos',
    description: 'Reads the to-do list of this page: what is on it, and what of it is done.',
    parameters: nothing,
    run: () => reading(),
  },
  {
    name: 'completeTodo',
    description: 'Ticks an item of the to-do list of this page off as done.',
    parameters: title,
    run({ title: wanted }) {
      const { id } = named(String(wanted))
      setDone(id, true)
      return `Done. ${reading()}`
    },
  },
  {
    name: 'removeTodo',
    description: 'Removes an item from the to-do list of this page, for good.',
    parameters: title,
    // The server asks the user first, and then the page.
    metadata: { confirmationRequired: true },
    run({ title: wanted }) {
      const { id } = named(String(wanted))
      keep(todos.filter((each) => each.id !== id))
      return `Removed. ${reading()}`
    },
  },
]
