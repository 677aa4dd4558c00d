// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.AheadOfTimeContract;

/** An application that is processed ahead of time, on this line of Spring Boot. */
class AheadOfTime41IT extends AheadOfTimeContract {}
