import { serveWorker } from 'dragoman/isolate'
import { readRobots, type RobotsPermission } from './robots-rules.ts'

/** Reads robots.txt files in a thread: a stranger's file may be made to take long. */

export type RobotsRequest = { readonly text: string; readonly crawler: string; readonly path: string }

serveWorker<RobotsRequest, RobotsPermission>(({ text, crawler, path }) => readRobots(text, crawler, path))
