package io.penstock.bench.copy;

import io.penstock.runtime.Queue;

/**
 * What one host thread does in a round.
 *
 * @param queue where its work goes
 * @param launch submits the work
 */
record Lane(Queue queue, Runnable launch) {}
