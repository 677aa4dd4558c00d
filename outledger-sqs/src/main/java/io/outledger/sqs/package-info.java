// SPDX-License-Identifier: Apache-2.0

/**
 * Amazon SQS and SNS: {@link io.outledger.sqs.SqsPublisher} and {@link
 * io.outledger.sqs.SnsPublisher} publish messages as CloudEvents, {@link
 * io.outledger.sqs.SqsReceiver} receives them from queues.
 */
@NullMarked
package io.outledger.sqs;

import org.jspecify.annotations.NullMarked;
