// SPDX-License-Identifier: Apache-2.0
/** The contract's application on Spring Boot 4.0. */
@NullMarked
package io.outledger.spring.boot40;

import org.jspecify.annotations.NullMarked;
