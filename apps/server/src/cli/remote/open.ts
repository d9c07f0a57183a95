import { spawn } from 'node:child_process'

import { Argument, type Command } from 'commander'

import { newCommand } from '../new-command.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

const PAGES = { chat: '/', inbox: '/console/inbox', models: '/console/models', inspect: '/console/inspect' }

type Page = keyof typeof PAGES

export function openCommand(): Command {
  return addServerOptions(newCommand('open'))
    .description('Opens the console in a browser. Without a display it prints the address.')
    .addArgument(new Argument('[PAGE]', 'the page').choices(Object.keys(PAGES)).default('chat'))
    .action(openConsole)
}

async function openConsole(page: Page, { url }: ServerAddress): Promise<void> {
  const address = `${url.replace(/(?<!\/)\/+$/, '')}${PAGES[page]}`
  const opener = browserOpener()
  if (opener && (await isStarted(opener, address))) process.stderr.write(`Opened ${address}\n`)
  else process.stdout.write(`${address}\n`)
}

/** The program that opens an address in the browser. Undefined without a display. */
function browserOpener(): readonly [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const { DISPLAY: x11, WAYLAND_DISPLAY: wayland } = process.env
  return x11 || wayland ? ['xdg-open'] : undefined
}

/** The address is an argument of the program. No shell reads it. */
async function isStarted(
  [program, ...args]: readonly [string, ...string[]],
  address: string,
): Promise<boolean> {
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.once('error', () => resolve(false))
  child.once('spawn', () => {
    child.unref()
    resolve(true)
  })
  return promise
}
