import { serveWorker } from 'dragoman/isolate'
import { readFolder, type SkillFolder, type FolderRead } from './read-folder.ts'

/** The thread on which skills are read: YAML of a few kilobytes may take as long as a second. */

export type FolderRequest = { readonly folder: SkillFolder; readonly own: ReadonlySet<string> }

serveWorker<FolderRequest, FolderRead>(({ folder, own }) => readFolder(folder, own))
