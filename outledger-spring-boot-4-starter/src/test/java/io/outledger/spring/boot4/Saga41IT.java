// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SagaContract;

/** Sagas on this line of Spring Boot. */
class Saga41IT extends SagaContract {}
