// SPDX-License-Identifier: Apache-2.0
/**
 * Application events as messages: the application registers each class under a name, and Outledger
 * never loads a class named in data.
 */
@NullMarked
package io.outledger.event;

import org.jspecify.annotations.NullMarked;
