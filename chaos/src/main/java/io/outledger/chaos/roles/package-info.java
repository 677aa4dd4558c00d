// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a small shop as processes of their own, made to be killed: writers, relays,
 * consumers. Each takes down what it knows before it acts on it. They use Outledger as an
 * application would, and nothing of its inside.
 */
@NullMarked
package io.outledger.chaos.roles;

import org.jspecify.annotations.NullMarked;
