import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { AbstractChat, ChatInit, UIMessage } from 'ai'

export type ChatClass = new (init: ChatInit<UIMessage>) => AbstractChat<UIMessage>

/** What `useChat` keeps its messages in, for each framework that the AI SDK supports. */
export const frameworks: Readonly<Record<string, () => Promise<ChatClass>>> = {
  React: async () => (await importUntyped<{ Chat: ChatClass }>('@ai-sdk/react')).Chat,
  Vue: async () => (await importUntyped<{ Chat: ChatClass }>('@ai-sdk/vue')).Chat,
  Svelte: loadSvelteChat,
}

/** Its package has a module with runes, which the bundler of a page compiles. */
async function loadSvelteChat(): Promise<ChatClass> {
  type Compiler = {
    compileModule(source: string, options: object): { readonly js: { readonly code: string } }
  }
  const { compileModule } = await importUntyped<Compiler>('svelte/compiler')
  const modules = join(import.meta.dirname, '../../node_modules')
  const source = await readFile(join(modules, '@ai-sdk/svelte/dist/chat.svelte.js'), 'utf8')
  const { js } = compileModule(source, { filename: 'chat.svelte.js', generate: 'client' })
  // In a folder from which its imports are found.
  const folder = join(modules, '.cache/svelte')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `chat-${process.pid}.js`)
  await writeFile(file, js.code)
  return (await importUntyped<{ Chat: ChatClass }>(pathToFileURL(file).href)).Chat
}

/** The types of these packages are those of pages, and would change what all tests know of HTML. */
async function importUntyped<Module>(name: string): Promise<Module> {
  return (await import(/* @vite-ignore */ name)) as Module
}
