// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.springshop.orders;

import org.springframework.data.repository.ListCrudRepository;

interface Orders extends ListCrudRepository<Order, String> {}
