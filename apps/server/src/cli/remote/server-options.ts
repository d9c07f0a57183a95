import { InvalidArgumentError, Option, type Command } from 'commander'

const DEFAULT_URL = 'http://127.0.0.1:3033'

/** The options of each command that talks to a server. */
export type ServerAddress = { readonly url: string; readonly token?: string }

/** Adds the options that name a server. */
export function addServerOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <URL>', 'address of the server')
        .env('DRAGOMAN_URL')
        .default(DEFAULT_URL)
        .argParser(parseUrl)
        .helpGroup('Server:'),
    )
    .addOption(
      new Option('--token <TOKEN>', 'token, if the server needs one')
        .env('DRAGOMAN_TOKEN')
        .argParser(parseToken)
        .helpGroup('Server:'),
    )
}

/** An empty variable counts as unset. */
function parseUrl(text: string): string {
  if (text === '') return DEFAULT_URL
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('It must be an address like https://chat.example.')
}

function parseToken(text: string): string | undefined {
  return text === '' ? undefined : text
}
