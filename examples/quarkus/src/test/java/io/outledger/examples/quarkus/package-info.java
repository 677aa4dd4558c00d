// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.outledger.examples.quarkus;

import org.jspecify.annotations.NullMarked;
