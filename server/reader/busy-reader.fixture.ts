// A reader that never answers and ignores everything.
import { readerChild } from './reader-child.ts'

await readerChild()
for (;;);
