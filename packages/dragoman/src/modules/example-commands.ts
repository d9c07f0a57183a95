import { curlPost } from '../server/surfaces/index.ts'

/** Builds curl commands for `AgentModule.examples`. */
export function exampleCommands(origin: string): { post(path: string, body: object): string } {
  return { post: (path, body) => curlPost(`${origin}${path}`, body) }
}
