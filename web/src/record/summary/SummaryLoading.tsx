// Holds the place of a summary while it is fetched, about as high as what follows.
import { Card } from '../../ui/Display.tsx'
import { Skeleton } from '../../ui/States.tsx'
import './summary.css'

export const SummaryLoading = () => (
  <div className="stack">
    <div className="summary-actions-place" />
    <div className="summary-figures-place" />
    <div className="summary-blocks">
      {[8, 6, 8, 5].map((lines, at) => (
        <Card key={at}>
          <Skeleton lines={lines} />
        </Card>
      ))}
    </div>
  </div>
)
