#pragma once

/// Makes the concurrency runtime run its jobs of no particular actor on one serial Dispatch queue, in
/// place of Dispatch's global pool; to be called once, before the first task.
///
/// On Linux the pool, once used, is watched by a timer that wakes the process every second for ever.
/// What blocks runs on queues of its own, so that one thread is enough for the rest.
void task_queue_install(void);
